import { realpath } from "node:fs/promises";
import { dirname } from "node:path";
import { editedText } from "@sm/agent";
import { readWithComments } from "@sm/agent/commented-json";
import { fileStamp } from "@sm/agent/resources";
import { AppError, isJsonObject, type JsonObject } from "@sm/core";
import { fileError, readWholeFile } from "@sm/core/files";
import { MAX_BYTES } from "../config.ts";
import type { Look } from "../edits/edits.ts";

/** State of a configuration file. */
export interface ConfigFile {
  path: string;
  /** `null` if it does not exist. */
  text: string | null;
  /** Parsed content; `null` if the file does not exist or is invalid. */
  value: JsonObject | null;
  /** Why it is invalid, with the position; `null` if valid. */
  mistake: string | null;
}

/**
 * Reads a configuration file. Rejects with AppError `FORBIDDEN` if it is not readable or not a file, and with
 * `PAYLOAD_TOO_LARGE` above 8 MiB.
 */
export async function readConfigFile(path: string): Promise<ConfigFile> {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(await readWholeFile(path, MAX_BYTES));
  } catch (error) {
    if (error instanceof TypeError) return { path, text: "\ufffd", value: null, mistake: `${path}: it is not UTF-8` };
    const known = fileError(error, "read", path);
    if (known?.code === "NOT_FOUND") return { path, text: null, value: null, mistake: null };
    throw known ?? error;
  }
  const read = readWithComments(text.replace(/^\ufeff/, ""));
  if ("mistake" in read) return { path, text, value: null, mistake: `${path}:${read.mistake}` };
  if (!isJsonObject(read.value)) return { path, text, value: null, mistake: `${path}:1:1: expected an object` };
  return { path, text, value: read.value, mistake: null };
}

/**
 * The new text of a file whose content becomes `next`: `undefined` if unchanged, `null` to delete it.
 *
 * @throws AppError `CONFLICT` if the file is invalid: someone is editing it.
 */
export function changedText({ text, value, mistake }: ConfigFile, next: JsonObject | null): string | null | undefined {
  if (mistake !== null) {
    if (next === null) return undefined;
    throw new AppError("CONFLICT", `Nothing was changed, because of an error in ${mistake}. Correct the file first.`);
  }
  if (next === null) return text === null ? undefined : null;
  const before = text?.replace(/^\ufeff/, "") ?? "";
  const after = editedText(before, next);
  return value !== null && after === before ? undefined : after;
}

/** Fingerprints files, which may be missing or links, without reading them. */
export async function lookAtFiles(paths: readonly string[]): Promise<Look> {
  const looks = await Promise.all(
    paths.map(async (path) => {
      const real = await realpath(path).catch(() => null);
      return {
        stamp: await fileStamp(path),
        // Target of a dangling link: watch the folder it points to.
        folders: [dirname(path), real === null ? path : dirname(real)],
      };
    }),
  );
  return {
    folders: looks.flatMap(({ folders }) => folders),
    stamps: { configuration: looks.map(({ stamp }) => stamp).join("\n") },
  };
}
