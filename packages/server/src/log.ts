import { pino } from "pino";

/** Writes structured log lines; the first argument holds fields, the second is the message. */
export type Log = pino.Logger;

/** Makes a log of JSON lines with a level by name and the time as RFC 3339. */
export function createLog(level: string, output: { write(line: string): void }): Log {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    output,
  );
}
