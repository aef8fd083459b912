import { readTypedTime, type TimeDirection } from "@sm/core";
import { InvalidArgumentError } from "commander";

/** Reads an option that is a time, amounts such as `7d` back from now, and hands it on as RFC 3339 in UTC. */
export function pastTime(text: string): string {
  return new Date(typedTime(text, Date.now(), "past")).toISOString();
}

/** Reads an option that is a time to come, amounts such as `30d` ahead from now, as `pastTime` does. */
export function futureTime(text: string): string {
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

/** Reads an option that is a port; 0 stands for any free one. */
export function port(text: string): string {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return text;
  throw new InvalidArgumentError("It must be a whole number from 0 to 65535.");
}

/** Reads an option that is a whole number; whether it is one that makes sense is the service's to say. */
export function wholeNumber(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("It must be a whole number.");
}
