import { parseArgs } from "node:util";
import { type CorpusParameters, DEFAULT_PARAMETERS } from "./corpus/plan.ts";

export interface Options {
  corpus: CorpusParameters;
  /** Benches to run, in this order. */
  benches: string[];
  /** Where to write the table as JSON. */
  json: string | null;
  /** Whether a missed target makes the run fail. */
  strict: boolean;
  help: boolean;
}

/** Says how to call the benches of these names. */
export function usage(benches: readonly string[]): string {
  return `Usage: npm run bench -- [options] [corpus | ${benches.join(" | ")}]...

Runs the named benches, or all of them, on a corpus that is generated once and kept in the temporary directory.
"corpus" only generates it.

  --sessions N   sessions of the corpus (${DEFAULT_PARAMETERS.sessions})
  --bytes N      size of all session files together (${DEFAULT_PARAMETERS.bytes})
  --seed N       another corpus of the same shape (${DEFAULT_PARAMETERS.seed})
  --json FILE    writes the table as JSON too
  --strict       ends with 1 when a target is missed
`;
}

/** @throws with a message for the user. */
export function parseOptions(argv: string[], known: readonly string[]): Options {
  const { values, positionals } = parseArgs({
    args: argv,
    allowPositionals: true,
    options: {
      sessions: { type: "string" },
      bytes: { type: "string" },
      seed: { type: "string" },
      json: { type: "string" },
      strict: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  const unknown = positionals.find((name) => name !== "corpus" && !known.includes(name));
  if (unknown !== undefined) throw new RangeError(`There is no bench "${unknown}".`);
  const corpus = { ...DEFAULT_PARAMETERS };
  for (const name of ["sessions", "bytes", "seed"] as const) {
    const text = values[name];
    if (text === undefined) continue;
    if (!/^[1-9]\d{0,14}$/.test(text)) throw new RangeError(`--${name} takes a positive integer, not "${text}".`);
    corpus[name] = Number(text);
  }
  return {
    corpus,
    benches: positionals.length === 0 ? [...known] : positionals.filter((name) => name !== "corpus"),
    json: values.json ?? null,
    strict: values.strict,
    help: values.help,
  };
}
