import { COMMON_BIGRAMS } from "../corpus/cjk.ts";
import type { Corpus } from "../corpus/corpus.ts";
import type { NeedleForm } from "../corpus/needle.ts";
import { rareWord } from "../corpus/rare-word.ts";
import { COMMON_WORDS } from "../corpus/words.ts";
import { median, percentile } from "../measure/percentile.ts";
import { ripgrepTime } from "../measure/ripgrep.ts";
import type { Service } from "../measure/service.ts";
import { type BenchRow, judge } from "../report.ts";

/** Searches of one kind, and how long they may take. */
export interface SearchSubject {
  what: string;
  queries: readonly string[];
  /** Milliseconds. */
  p50AtMost?: number;
  p99AtMost?: number;
  /** Texts that ripgrep would look for instead. */
  texts?: readonly string[];
}

const WARM_UP_QUERIES = 20;
/** Of each kind: larger corpora have more needles. */
const MAX_QUERIES = 200;
/** On fewer bytes starting ripgrep is all that it takes. */
const RIPGREP_BYTES = 100_000_000;
const FAST = { p50AtMost: 5, p99AtMost: 25 };
const COMMON = { p99AtMost: 60 };
const SUBSTRING = { p99AtMost: 150 };
const ABSENT_WORDS = 100;

export function searchSubjects({ needles }: Corpus): SearchSubject[] {
  const having = (...forms: NeedleForm[]) => needles.filter(({ form }) => forms.includes(form));
  const queries = (form: NeedleForm): string[] => having(form).map(({ query }) => query);
  const texts = (form: NeedleForm): string[] => having(form).map(({ text }) => text);
  const inside = (found: readonly string[]): string[] => [
    ...new Set(found.filter((text) => text.length >= 5).map((text) => `~"${text.slice(1, -1)}"`)),
  ];
  const absent = Array.from({ length: ABSENT_WORDS }, (_, index) => rareWord("absent", index));
  return [
    { what: "rare word", queries: queries("word"), ...FAST, p99AtMost: 20, texts: texts("word") },
    { what: "phrase", queries: queries("phrase"), ...FAST, p50AtMost: 8, texts: texts("phrase") },
    { what: "identifier", queries: queries("identifier"), ...FAST, texts: texts("identifier") },
    {
      what: "part of an identifier",
      queries: queries("identifier_part"),
      ...FAST,
      texts: queries("identifier_part"),
    },
    { what: "two CJK characters, rare", queries: queries("cjk"), ...FAST, texts: queries("cjk") },
    { what: "word that nobody said", queries: absent, ...FAST, texts: absent },
    { what: "common word", queries: COMMON_WORDS, ...COMMON },
    { what: "two common words", queries: neighbours(COMMON_WORDS), ...COMMON },
    { what: "two CJK characters, common", queries: COMMON_BIGRAMS, ...COMMON },
    { what: "~substring inside a rare word", queries: inside(texts("word")), ...SUBSTRING },
    {
      what: "~substring across humps and punctuation",
      queries: inside(having("identifier", "identifier_part").map(({ text }) => text)),
      ...SUBSTRING,
    },
    { what: "~substring across words", queries: inside(texts("phrase")), ...SUBSTRING },
    { what: "~substring inside common words", queries: inside(COMMON_WORDS), ...SUBSTRING },
    { what: "~substring that nobody said", queries: inside(absent), ...SUBSTRING },
  ];
}

/** Answers some searches that nobody measures. */
export async function warmUp(service: Service): Promise<void> {
  for (const word of COMMON_WORDS.slice(-WARM_UP_QUERIES)) await service.search({ query: word, role: "user" });
}

/** How long answers take over HTTP, one at a time, beside ripgrep over the same files. */
export async function searchTimes(
  service: Service,
  { agentHome, manifest }: Corpus,
  subjects: readonly SearchSubject[],
): Promise<BenchRow[]> {
  const rows: BenchRow[] = [];
  for (const { what, queries, p50AtMost, p99AtMost, texts } of subjects) {
    if (queries.length === 0) continue;
    const times: number[] = [];
    for (const query of queries.slice(0, MAX_QUERIES)) {
      const start = performance.now();
      await service.search({ query });
      times.push(performance.now() - start);
    }
    const ripgrep = texts === undefined ? null : ripgrepTime(agentHome, texts);
    rows.push(
      judge({
        what: `search, ${what}, p50`,
        measured: median(times),
        unit: "ms",
        ...(p50AtMost === undefined ? {} : { atMost: p50AtMost }),
        ...(ripgrep === null ? {} : { reference: { name: "rg -a", value: ripgrep } }),
        ...(ripgrep === null || manifest.bytes < RIPGREP_BYTES ? {} : { ratioAtMost: 1 }),
        ...(ripgrep === null && texts !== undefined ? { note: "rg is not on the PATH" } : {}),
      }),
      judge({
        what: `search, ${what}, p99`,
        measured: percentile(times, 0.99),
        unit: "ms",
        ...(p99AtMost === undefined ? {} : { atMost: p99AtMost }),
      }),
    );
  }
  return rows;
}

function neighbours(words: readonly string[]): string[] {
  return words.slice(1).map((word, index) => `${words[index]} ${word}`);
}
