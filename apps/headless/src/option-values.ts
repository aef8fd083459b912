import { isAgentNamed, readTypedTime, type SessionFormatName, type TimeDirection } from "@sm/core";
import { sessionFormat } from "@sm/core/input";
import { InvalidArgumentError } from "commander";

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

/** Parses an option as the name of an agent, or the beginning of one. */
export function parseAgent(text: string): SessionFormatName {
  const found = sessionFormat.options.filter((format) => format === text || isAgentNamed(text, format, true));
  if (found[0] !== undefined && found.length === 1) return found[0];
  throw new InvalidArgumentError(`It must be one of ${sessionFormat.options.join(", ")}.`);
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
