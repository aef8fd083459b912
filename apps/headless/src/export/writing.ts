import { mkdir } from "node:fs/promises";
import { join, parse } from "node:path";
import { UniqueFileNames } from "@sm/core";
import type { CommandInput } from "@sm/router";
import { type Connection, call, type Download } from "../connection/connection.ts";
import type { NamedSession } from "../connection/session-argument.ts";
import { CliError, describeFailure } from "../failure.ts";
import { writeNewFile } from "../new-file.ts";
import type { Shell } from "../shell.ts";
import type { Destination, Format } from "./destination.ts";
import { TransferLine } from "./transfer-line.ts";

/** Export options besides paths and format. */
export type Manner = Omit<CommandInput<"export_sessions">, "paths" | "format">;

export interface WritingOptions {
  destination: Destination;
  format: Format;
  manner: Manner;
  /** Whether to replace existing files. */
  replace: boolean;
  connection: Connection;
  shell: Shell;
}

interface Failure {
  session: NamedSession;
  error: unknown;
}

/** Number of failures listed individually. */
const MAX_FAILURES = 20;

const EXTENSIONS: Readonly<Record<Format, string>> = { html: "html", markdown: "md", json: "json", jsonl: "jsonl" };

/** Failures that affect all further sessions: lost connection, full disk. */
const COMMON_FAILURES = new Set([
  "NO_ANSWER",
  "BAD_ANSWER",
  "UNAUTHORIZED",
  "RATE_LIMITED",
  "ENOSPC",
  "EDQUOT",
  "EROFS",
  "EACCES",
]);

/**
 * Writes sessions to their destination; every file is written atomically.
 *
 * @returns the file, if it contains one session.
 * @throws {CliError} for sessions that could not be written into a folder, after all others.
 */
export async function writeExport(sessions: readonly NamedSession[], options: WritingOptions): Promise<string | null> {
  const { destination, replace, shell } = options;
  const { stdout, stderr } = shell.streams;
  // The export itself is visible on the terminal.
  const isSeen = destination.kind === "stdout" && stdout.isTTY === true;
  const line = new TransferLine(isSeen || shell.quiet ? { write: () => undefined } : stderr);
  try {
    if (destination.kind === "folder") return await writeFolder(destination.path, sessions, line, options);
    const { chunks } = destination.kind === "zip" ? await zipOf(sessions, options) : await fileOf(sessions[0], options);
    if (destination.kind === "stdout") {
      await shell.writeBytes(line.counted(chunks));
      return null;
    }
    await writeNewFile(destination.path, line.counted(chunks), { replace });
    line.clear();
    shell.note(`Written to ${destination.path}.`);
    return destination.path;
  } finally {
    line.clear();
  }
}

async function zipOf(sessions: readonly NamedSession[], options: WritingOptions): Promise<Download> {
  const { format, manner, connection } = options;
  const paths = sessions.map(({ path }) => path);
  const { url } = await call(connection, "export_sessions", { paths, format, ...manner });
  return connection.download(new URLSearchParams(url.slice(url.indexOf("?"))));
}

function fileOf(session: NamedSession | undefined, { format, manner, connection }: WritingOptions): Promise<Download> {
  const fields = Object.entries({ path: session?.path ?? "", format, ...manner });
  const parameters = fields.flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((one): [string, string] => [name, `${one}`]),
  );
  return connection.download(new URLSearchParams(parameters));
}

async function writeFolder(
  folder: string,
  sessions: readonly NamedSession[],
  line: TransferLine,
  options: WritingOptions,
): Promise<string | null> {
  await mkdir(folder, { recursive: true });
  const names = new UniqueFileNames();
  const failures: Failure[] = [];
  let path: string | null = null;
  for (const [place, session] of sessions.entries()) {
    line.begin(`Exporting ${place + 1} of ${sessions.length}`);
    try {
      const { fileName, chunks } = await fileOf(session, options);
      // The server suggests the name, but not the extension.
      path = join(folder, names.unique(parse(fileName).name, EXTENSIONS[options.format]));
      await writeNewFile(path, line.counted(chunks), { replace: options.replace });
    } catch (error) {
      if (sessions.length === 1 || COMMON_FAILURES.has(codeOf(error))) throw error;
      failures.push({ session, error });
    }
  }
  line.clear();
  const count = sessions.length - failures.length;
  options.shell.note(`Written to ${sessions.length === 1 ? path : `${folder}: ${counted(count)}`}.`);
  if (failures.length > 0) throw failedToWrite(failures);
  return sessions.length === 1 ? path : null;
}

function failedToWrite(failures: readonly Failure[]): CliError {
  const lines = failures
    .slice(0, MAX_FAILURES)
    .map(({ session, error }) => `  ${session.title ?? session.path}: ${describeFailure(error).text}`);
  if (failures.length > MAX_FAILURES) lines.push(`  and ${failures.length - MAX_FAILURES} more`);
  const { exitCode } = describeFailure(failures[0]?.error);
  return new CliError(exitCode, `${counted(failures.length)} could not be written:`, lines);
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

function counted(count: number): string {
  return count === 1 ? "1 session" : `${count} sessions`;
}
