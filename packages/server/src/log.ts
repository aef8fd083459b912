import { LRUCache } from "lru-cache";
import { pino } from "pino";

/** Writes structured log lines; the first argument holds fields, the second is the message. */
export type Log = pino.Logger;

/** Makes a log of JSON lines with a level by name and the time as RFC 3339. A cause is logged with its stack once. */
export function createLog(level: string, output: { write(line: string): void }): Log {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: stacksOnce() },
    },
    output,
  );
}

const MOST_KNOWN_STACKS = 100;
const DEEPEST_CAUSE = 10;

/** Writes errors without their stack where that of their cause is in the log already, so that no disk fills with them. */
function stacksOnce(): (error: unknown) => unknown {
  const known = new LRUCache<string, true>({ max: MOST_KNOWN_STACKS });
  return (error) => {
    if (!(error instanceof Error)) return error;
    const serialized = pino.stdSerializers.err(error);
    const stack = rootCause(error).stack ?? "";
    const isKnown = known.has(stack);
    known.set(stack, true);
    if (!isKnown) return serialized;
    const { stack: _, ...short } = serialized;
    return short;
  };
}

function rootCause(error: Error): Error {
  let root = error;
  for (let depth = 0; root.cause instanceof Error && depth < DEEPEST_CAUSE; depth++) root = root.cause;
  return root;
}
