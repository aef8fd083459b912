import { currentPlatform, dataDirectory, readSettings } from "@sm/server/early";
import type { Command } from "commander";
import { findRunningServer } from "../connection/running-server.ts";
import { visible } from "../terminal/visible.ts";
import { findPlace, type Place, unquoteShellWord } from "./completion-context.ts";
import { type Candidate, type Files, filesFor, isLive, liveValues } from "./values.ts";

export const SHELLS = ["bash", "zsh", "fish"] as const;

export type ShellName = (typeof SHELLS)[number];

/** Maximum wait at a TAB. */
const TIMEOUT_MS = 1_000;
const MAX_DESCRIPTION_LENGTH = 60;

/**
 * Completes the last word of a command line. Each output line is a candidate with an optional description after a tab;
 * the last one is `:` with `files` or `directories` if the shell should add these. Errors only reduce the candidates.
 *
 * @param words as on the command line, with quotes, without the program's name.
 */
export async function complete(
  shell: ShellName,
  words: readonly string[],
  program: Command,
  env: NodeJS.ProcessEnv,
): Promise<string> {
  const read = words.map(unquoteShellWord);
  const place = findPlace(
    read.map(({ text }) => text),
    program,
  );
  const quote = read.at(-1)?.quote ?? null;
  const { prefix, lead } = place;
  const found = matching(await candidatesAt(place, program, env), prefix);
  const lines = found.map(({ value, description }) => {
    const text = shell === "bash" && quote === null ? escapeForBash(lead + value) : lead + value;
    return `${text}\t${visible(description).slice(0, MAX_DESCRIPTION_LENGTH)}\n`;
  });
  return `${lines.join("")}:${filesAt(place) ?? ""}\n`;
}

/** Arguments that accept a path or a name, such as a session, complete files only if the text looks like a path. */
function filesAt({ value, prefix, mayBeOption }: Place): Files {
  if (value === null || (mayBeOption && prefix.startsWith("-"))) return null;
  const isPath = /^[.~]|[\\/]/.test(prefix);
  return isPath || !isLive(value) || filesFor(value) === "directories" ? filesFor(value) : null;
}

async function candidatesAt(place: Place, program: Command, env: NodeJS.ProcessEnv): Promise<Candidate[]> {
  const { command, value, prefix, mayBeOption } = place;
  if (mayBeOption && prefix.startsWith("-")) return optionsOf(command);
  if (value !== null) {
    if (value.argChoices !== undefined) return value.argChoices.map((choice) => ({ value: choice, description: "" }));
    if (command.name() === "call" && value === command.registeredArguments[0]) return await commandNames();
    if (command.name() === "help") return subcommandsOf(program);
    const subcommands = value === command.registeredArguments[0] ? subcommandsOf(command) : [];
    return isLive(value) ? [...subcommands, ...(await askService(place, env))] : subcommands;
  }
  return subcommandsOf(command);
}

function subcommandsOf(command: Command): Candidate[] {
  return command
    .createHelp()
    .visibleCommands(command)
    .map((one) => ({ value: one.name(), description: one.description() }));
}

function optionsOf(command: Command): Candidate[] {
  const help = command.createHelp();
  const options = [...help.visibleOptions(command), ...(command.configureHelp().visibleGlobalOptions?.(command) ?? [])];
  return options.flatMap(({ long, description }) => (long ? [{ value: long, description }] : []));
}

/** From the bundled registry, without a service. */
async function commandNames(): Promise<Candidate[]> {
  const { registry } = await import("@sm/router");
  return [...registry].map(([value, { summary }]) => ({ value, description: summary }));
}

async function askService(place: Place, env: NodeJS.ProcessEnv): Promise<Candidate[]> {
  const timeout = new Promise<Candidate[]>((resolve) => setTimeout(resolve, TIMEOUT_MS, []).unref());
  return Promise.race([ask(place, env).catch(() => []), timeout]);
}

async function ask({ value, prefix, given }: Place, env: NodeJS.ProcessEnv): Promise<Candidate[]> {
  const dataDir = given.get("--data-dir");
  const settings = readSettings(dataDir === undefined ? {} : { "data-dir": dataDir }, env);
  const server = given.get("--server") ?? env.SESSION_MANAGER_SERVER;
  const found = server
    ? { url: server, token: null }
    : await findRunningServer(dataDirectory(settings, currentPlatform()));
  if (found === null || value === null) return [];
  const { openRemote } = await import("../connection/remote.ts");
  const connection = openRemote(found.url, given.get("--token") || env.SESSION_MANAGER_TOKEN || found.token);
  try {
    return await liveValues(value, prefix, connection);
  } finally {
    await connection.close();
  }
}

/** Candidates that start with the word, ignoring case; otherwise the only one that contains it. */
function matching(candidates: readonly Candidate[], prefix: string): Candidate[] {
  const wanted = prefix.toLowerCase();
  // Omits text with control characters or line breaks.
  const safe = candidates.filter(({ value }) => visible(value) === value);
  const beginning = safe.filter(({ value }) => value.toLowerCase().startsWith(wanted));
  if (beginning.length > 0) return beginning;
  const containing = safe.filter(({ value }) => value.toLowerCase().includes(wanted));
  return containing.length === 1 ? containing : [];
}

function escapeForBash(text: string): string {
  return text.replaceAll(/[^\p{L}\p{M}\p{N}_@%+=:,./-]/gu, "\\$&");
}
