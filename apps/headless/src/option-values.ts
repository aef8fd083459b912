import {
  agentName,
  isAgentNamed,
  readTypedTime,
  SESSION_FORMATS,
  type SessionFormatName,
  type TimeDirection,
} from "@sm/core";
import { InvalidArgumentError, Option } from "commander";
import { CliError, EXIT } from "./failure.ts";

/** Parses an option as a time in the past; amounts such as `7d` count back from now. Returns RFC 3339 in UTC. */
export function parsePastTime(text: string): string {
  return new Date(typedTime(text, Date.now(), "past")).toISOString();
}

/** Parses an option as a time in the future, like `parsePastTime`; amounts such as `30d` count from now. */
export function parseFutureTime(text: string): string {
  const now = Date.now();
  const time = typedTime(text, now, "future");
  if (time <= now) throw new InvalidArgumentError("It must be in the future.");
  return new Date(time).toISOString();
}

function typedTime(text: string, now: number, direction: TimeDirection): number {
  const { time, problem } = readTypedTime(text, now, direction);
  if (problem !== null) throw new InvalidArgumentError(`It ${problem}.`);
  return time;
}

/** Collects the values of an option that may be repeated. */
export function addText(text: string, texts: readonly string[] = []): string[] {
  return [...texts, text];
}

/** Parses an option as a port; 0 stands for any free one. */
export function port(text: string): string {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return text;
  throw new InvalidArgumentError("It must be a whole number from 0 to 65535.");
}

/** Parses an option as a whole number; the service checks the range. */
export function parseWholeNumber(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("It must be a whole number.");
}

/** The option that names the database of the hub that somebody runs. */
export function storeOption(): Option {
  return new Option("--store <url>", "database of the hub")
    .env("SESSION_MANAGER_STORE")
    .argParser(parseStore)
    .makeOptionMandatory();
}

/**
 * Parses an option as the address of a database. Anything else would be looked for on this machine, or on another one.
 *
 * @throws {CliError} without the address, which may have a password.
 */
export function parseStore(text: string): string {
  if (/^postgres(?:ql)?:\/\//.test(text)) return text;
  throw new CliError(EXIT.usage, "error: --store needs an address such as postgres://user@host/database");
}

/** The option that leaves over the sessions of an agent. */
export function agentOption(): Option {
  return new Option("--agent <name>", "only sessions of this agent, such as claude")
    .choices(SESSION_FORMATS)
    .argParser(parseAgent);
}

/** The option that shows archived sessions, too or alone. */
export function archivedOption(): Option {
  return new Option("--archived [which]", "archived sessions: only them, or with include also them")
    .choices(["only", "include"])
    .preset("only");
}

/** Parses an option as the agent that writes a format, by the beginning of its name. */
export function parseAgent(text: string): SessionFormatName {
  const named = SESSION_FORMATS.filter((format) => format === text || isAgentNamed(text, format, true));
  const [format] = named;
  if (format !== undefined && named.length === 1) return format;
  const agents = SESSION_FORMATS.map((name) => (agentName(name) === name ? name : `${name} (${agentName(name)})`));
  throw new InvalidArgumentError(`It must be one of ${agents.join(", ")}.`);
}
