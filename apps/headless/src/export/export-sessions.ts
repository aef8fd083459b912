import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { openBrowser } from "../browser.ts";
import { type Connection, call } from "../connection/connection.ts";
import { CliError, EXIT } from "../failure.ts";
import type { Shell } from "../shell.ts";
import { type Destination, type Format, findDestination, usualFormat } from "./destination.ts";
import { type SessionPreview, showPreviews } from "./preview.ts";
import { type Selection, type SessionFilter, selectSessions } from "./selection.ts";
import { type Manner, writeExport } from "./writing.ts";

export interface ExportOptions extends Partial<SessionFilter> {
  format?: Format;
  output?: string;
  force?: true;
  thinking: boolean;
  tools: boolean;
  notes?: true;
  subagents?: true;
  theme?: "system" | "light" | "dark";
  redact?: true;
  redactWord?: string[];
  preview?: true;
  open?: true;
}

/** Implements `session-cli export`. */
export async function exportSessions(
  named: readonly string[],
  given: ExportOptions,
  connection: Connection,
  shell: Shell,
): Promise<void> {
  const options: ExportOptions = given.redactWord === undefined ? given : { ...given, redact: true };
  if (options.preview === true && options.redact !== true) {
    throw new CliError(EXIT.usage, "--preview needs --redact.");
  }
  if (options.preview === true && options.open === true) {
    throw new CliError(EXIT.usage, "--preview and --open cannot be combined.");
  }
  if (options.preview === true && options.subagents === true) {
    throw new CliError(EXIT.usage, "--preview and --subagents cannot be combined: name the subagents instead.");
  }
  const { project, since } = options;
  const selection = await selectSessions(named, { project, since }, connection);
  if (options.preview === true) return preview(selection, options, connection, shell);

  const destination = await destinationOf(selection, options);
  const format = options.format ?? (options.open === true ? "html" : usualFormat(destination));
  checkFormat(format, options, destination);
  const path = await writeExport(selection.sessions, {
    destination,
    format,
    manner: mannerOf(options),
    replace: options.force === true,
    connection,
    shell,
  });
  if (options.open === true && path !== null) {
    const url = pathToFileURL(resolve(path)).href;
    openBrowser(url, (error) => shell.note(`Could not open a browser (${error.message}); the page is ${url}`));
  }
}

async function destinationOf(selection: Selection, { open, output }: ExportOptions): Promise<Destination> {
  const count = selection.sessions.length;
  if (open === true && count > 1) throw new CliError(EXIT.usage, `--open takes one session, not ${count}.`);
  // Not removed: the browser reads it after this program ends, and may reload it.
  if (open === true && output === undefined) {
    return { kind: "folder", path: await mkdtemp(join(tmpdir(), "session-cli-")) };
  }
  return findDestination(output, selection);
}

function checkFormat(format: Format, { open, notes, redact, subagents }: ExportOptions, { kind }: Destination): void {
  if (open === true && (format !== "html" || kind === "zip" || kind === "stdout")) {
    throw new CliError(EXIT.usage, "--open needs an HTML file: change or omit --output.");
  }
  if (subagents === true && format === "jsonl" && kind !== "zip") {
    throw new CliError(
      EXIT.usage,
      "jsonl is an exact copy of one session file: --subagents needs another format, or a .zip as --output.",
    );
  }
  if (notes === true && format === "jsonl") {
    throw new CliError(
      EXIT.usage,
      "jsonl is an exact copy of the session file and has no notes; choose another format.",
    );
  }
  if (redact === true && format === "jsonl") {
    throw new CliError(
      EXIT.usage,
      "jsonl is an exact copy of the session file and cannot be redacted; choose another format.",
    );
  }
}

/** Only options that differ from the default, to keep URLs short. */
function mannerOf({ thinking, tools, notes, redact, redactWord, subagents, theme }: ExportOptions): Manner {
  return {
    ...(thinking ? {} : { include_thinking: false }),
    ...(tools ? {} : { include_tools: false }),
    ...(notes === true ? { include_notes: true } : {}),
    ...(redact === true ? { redact: true } : {}),
    ...(redactWord === undefined ? {} : { redact_words: redactWord }),
    ...(subagents === true ? { include_subagents: true } : {}),
    ...(theme === undefined ? {} : { theme }),
  };
}

async function preview(
  { sessions }: Selection,
  { thinking, tools, notes, redactWord }: ExportOptions,
  connection: Connection,
  shell: Shell,
): Promise<void> {
  const previews: SessionPreview[] = [];
  for (const session of sessions) {
    const payload = {
      path: session.path,
      include_thinking: thinking,
      include_tools: tools,
      include_notes: notes,
      redact_words: redactWord,
    };
    previews.push({ session, ...(await call(connection, "preview_redactions", payload)) });
  }
  showPreviews(previews, shell);
}
