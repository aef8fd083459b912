import { LRUCache } from "lru-cache";
import { pino } from "pino";

/** Structured log; the first argument has fields, the second is the message. */
export type Log = pino.Logger;

/** Creates a log of JSON lines with level names and RFC 3339 times. The stack of each cause is logged once. */
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

const MAX_KNOWN_STACKS = 100;
const DEEPEST_CAUSE = 10;

/** Omits the stack of an error whose cause was already logged, to save disk space. */
function stacksOnce(): (error: unknown) => unknown {
  const known = new LRUCache<string, true>({ max: MAX_KNOWN_STACKS });
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
