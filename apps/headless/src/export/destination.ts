import { stat } from "node:fs/promises";
import { extname } from "node:path";
import { CliError, EXIT } from "../failure.ts";
import type { Selection } from "./selection.ts";

export type Format = "html" | "markdown" | "json" | "jsonl";

/** Destination of an export. */
export type Destination = { kind: "stdout" } | { kind: "file" | "folder" | "zip"; path: string };

const FORMATS: Readonly<Record<string, Format>> = {
  ".html": "html",
  ".htm": "html",
  ".md": "markdown",
  ".markdown": "markdown",
  ".json": "json",
  ".jsonl": "jsonl",
};

/**
 * Determines the kind of destination that `--output` names, given the number of sessions.
 *
 * @throws {CliError} `usage` if several sessions would go into one file.
 */
export async function findDestination(
  output: string | undefined,
  { sessions, isMany }: Selection,
): Promise<Destination> {
  const isOne = sessions.length === 1;
  if (output === undefined || output === "-") {
    if (isOne) return { kind: "stdout" };
    throw new CliError(EXIT.usage, `${sessions.length} sessions need --output with a folder or a .zip file.`);
  }
  const path = output;
  if ((await stat(path).catch(() => null))?.isDirectory() || /[/\\]$/.test(path)) return { kind: "folder", path };
  if (isZip(path)) return { kind: "zip", path };
  if (isOne && (!isMany || formatOf(path) !== undefined)) return { kind: "file", path };
  if (formatOf(path) === undefined) return { kind: "folder", path };
  throw new CliError(EXIT.usage, `${path} cannot hold ${sessions.length} sessions; give a folder or a .zip file.`);
}

/** Default format for a destination. */
export function usualFormat(destination: Destination): Format {
  if (destination.kind === "stdout") return "markdown";
  return destination.kind === "file" ? (formatOf(destination.path) ?? "markdown") : "html";
}

function formatOf(path: string): Format | undefined {
  return FORMATS[extname(path).toLowerCase()];
}

function isZip(path: string): boolean {
  return extname(path).toLowerCase() === ".zip";
}
