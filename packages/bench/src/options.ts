import { parseArgs } from "node:util";
import { type CorpusParameters, DEFAULT_PARAMETERS, HUGE_SHAPE, MANY_SHAPE, SCALE_SHAPE } from "./corpus/plan.ts";

const DEFAULT_MINUTES = 2;

export interface LoadOptions {
  /** Length of the mixed load of `footprint`. */
  minutes: number;
  /** File for its memory over time as SVG; `null` for none. */
  plot: string | null;
}

export interface Options extends LoadOptions {
  /** Where the corpus is to differ from the usual one. */
  shape: Partial<CorpusParameters>;
  /** Benches to run, in this order. */
  benches: string[];
  /** Where to write the table as JSON. */
  json: string | null;
  /** Whether a missed target makes the run fail. */
  strict: boolean;
  help: boolean;
}

/** Says how to call the benches of these names. */
export function usage(benches: readonly string[], onRequest: readonly string[]): string {
  return `Usage: npm run bench -- [options] [${benches.join(" | ")}]...

Runs the named benches, or all but ${onRequest.join(", ")}, on a corpus that is generated once and kept in the temporary
directory. "corpus" only generates it. "many" brings its own, of ${MANY_SHAPE.sessions} short sessions, "huge" one of
${HUGE_SHAPE.sessions} sessions and ${HUGE_SHAPE.bytes} bytes, "scale" and "statistics" one of ${SCALE_SHAPE.sessions} sessions and
${SCALE_SHAPE.bytes} bytes, "formats" three homes of 80 MB, of pi, Claude Code and Codex, "vault" one of 1000 sessions and 80 MB.
"hub" and "hub-chaos" start a PostgreSQL and two servers of a hub; "hub-scale" measures nothing and simulates one.

  --sessions N   sessions of the corpus (${DEFAULT_PARAMETERS.sessions})
  --bytes N      size of all session files together (${DEFAULT_PARAMETERS.bytes})
  --seed N       another corpus of the same shape (${DEFAULT_PARAMETERS.seed})
  --minutes N    length of the mixed load of "footprint", and of "hub-chaos" (${DEFAULT_MINUTES})
  --plot FILE    writes a plot of the memory under that load, as SVG
  --json FILE    writes the table as JSON too
  --strict       ends with 1 when a target is missed
`;
}

/**
 * @param onRequest benches that run only where they are named.
 * @throws with a message for the user.
 */
export function parseOptions(argv: string[], known: readonly string[], onRequest: readonly string[]): Options {
  const { values, positionals } = parseArgs({
    args: argv,
    allowPositionals: true,
    options: {
      sessions: { type: "string" },
      bytes: { type: "string" },
      seed: { type: "string" },
      minutes: { type: "string" },
      plot: { type: "string" },
      json: { type: "string" },
      strict: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  const unknown = positionals.find((name) => !known.includes(name));
  if (unknown !== undefined) throw new RangeError(`There is no bench "${unknown}".`);
  const number = (name: "sessions" | "bytes" | "seed" | "minutes"): number | undefined => {
    const text = values[name];
    if (text === undefined) return undefined;
    if (!/^[1-9]\d{0,14}$/.test(text)) throw new RangeError(`--${name} takes a positive integer, not "${text}".`);
    return Number(text);
  };
  const shape: Options["shape"] = {};
  for (const name of ["sessions", "bytes", "seed"] as const) {
    const value = number(name);
    if (value !== undefined) shape[name] = value;
  }
  return {
    shape,
    benches: positionals.length === 0 ? known.filter((name) => !onRequest.includes(name)) : positionals,
    minutes: number("minutes") ?? DEFAULT_MINUTES,
    plot: values.plot ?? null,
    json: values.json ?? null,
    strict: values.strict,
    help: values.help,
  };
}
