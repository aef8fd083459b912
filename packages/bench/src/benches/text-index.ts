import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  createSegmentBuilder,
  type IndexQuery,
  openSegments,
  SegmentView,
  segmentsToMerge,
  topDocuments,
} from "@sm/text-index";
import { tokenize } from "@sm/text-index/analysis";
import { addChecksums, SEGMENTS_SQL } from "@sm/text-index/storage";
import Database from "better-sqlite3";
import type { Corpus } from "../corpus/corpus.ts";
import { type Entry, searchableTexts } from "../corpus/entry.ts";
import { sessionFiles } from "../corpus/session-files.ts";
import { COMMON_WORDS } from "../corpus/words.ts";
import { percentile } from "../measure/percentile.ts";
import { type BenchRow, judge } from "../report.ts";
import { MEGABYTE, type Stage } from "./bench.ts";

/** A text of the corpus, with a field: who said it. */
interface Text {
  text: string;
  said: string;
  timestamp: number;
}

/** What both are asked for: words, a phrase or the beginning of a word; alone, newest first, or of one field. */
interface Question {
  terms: readonly string[];
  how: "words" | "phrase" | "prefix";
  sort?: "newest";
  said?: string;
}

/** What is measured: it takes texts, is finished, and answers. */
interface Engine {
  begin(): void;
  add(text: Text, terms: readonly string[]): void;
  commit(): void;
  /** Merges what was written to what it would be in the end. */
  finish(): void;
  /** The ten best. */
  ask(question: Question): unknown;
  readonly bytes: number;
  close(): void;
}

const LIMIT = 10;
const TEXTS_PER_TRANSACTION = 10_000;
const MAX_QUESTIONS = 100;

/** The text index beside FTS5, as it is without the texts: the same texts, terms and questions, one thread each. */
export async function textIndex(stage: Stage): Promise<BenchRow[]> {
  const { corpus } = stage;
  const directory = stage.newDirectory();
  mkdirSync(directory);
  const ours = new OwnIndex(join(directory, "own.db"));
  const fts5 = new Fts5(join(directory, "fts5.db"));
  try {
    const indexing = indexAll(corpus, [ours, fts5]);
    const rows = [
      judge({
        what: "text index, indexing, processor time",
        measured: indexing[0] ?? null,
        unit: "s",
        reference: { name: "FTS5", value: indexing[1] ?? 0 },
      }),
      judge({
        what: "text index, size",
        measured: ours.bytes / MEGABYTE,
        unit: "MB",
        reference: { name: "FTS5", value: fts5.bytes / MEGABYTE },
      }),
    ];
    for (const [what, questions] of Object.entries(questionsOf(corpus))) {
      const [own, other] = timesOf([ours, fts5], questions.slice(0, MAX_QUESTIONS));
      if (own === undefined || other === undefined) continue;
      for (const [name, share] of [
        ["p50", 0.5],
        ["p99", 0.99],
      ] as const) {
        rows.push(
          judge({
            what: `text index, ${what}, ${name}`,
            measured: percentile(own, share),
            unit: "ms",
            reference: { name: "FTS5", value: percentile(other, share) },
          }),
        );
      }
    }
    return rows;
  } finally {
    ours.close();
    fts5.close();
  }
}

/** Seconds of a processor that each takes; both get a transaction of texts by turns, so that what else runs disturbs both alike. */
function indexAll(corpus: Corpus, engines: readonly Engine[]): number[] {
  const seconds = engines.map(() => 0);
  const measure = (run: (engine: Engine) => void): void => {
    for (const [place, engine] of engines.entries()) {
      const milliseconds = processorTime(() => run(engine));
      seconds[place] = (seconds[place] ?? 0) + milliseconds / 1000;
    }
  };
  let batch: { text: Text; terms: string[] }[] = [];
  const write = (): void => {
    measure((engine) => {
      engine.begin();
      for (const { text, terms } of batch) engine.add(text, terms);
      engine.commit();
    });
    batch = [];
  };
  for (const text of textsOf(corpus)) {
    batch.push({ text, terms: tokenize(text.text).map(({ term }) => term) });
    if (batch.length === TEXTS_PER_TRANSACTION) write();
  }
  write();
  measure((engine) => engine.finish());
  return seconds;
}

function* textsOf({ agentHome }: Corpus): Generator<Text> {
  for (const { path } of sessionFiles(agentHome)) {
    for (const line of readFileSync(path, "utf8").split("\n")) {
      if (line === "") continue;
      const entry = JSON.parse(line) as Entry;
      const said = (entry.type === "message" ? entry.message.role : entry.type).toLowerCase();
      for (const text of searchableTexts(entry)) yield { text, said, timestamp: Date.parse(entry.timestamp) };
    }
  }
}

function questionsOf({ needles }: Corpus): Record<string, Question[]> {
  const terms = (text: string): string[] => tokenize(text).map(({ term }) => term);
  const hidden = (form: string) => needles.filter((needle) => needle.form === form);
  const common = COMMON_WORDS.map((word): Question => ({ terms: terms(word), how: "words" }));
  const pairs = COMMON_WORDS.slice(1).map((word, at) => `${COMMON_WORDS[at]} ${word}`);
  return {
    "rare word": hidden("word").map(({ text }) => ({ terms: terms(text), how: "words" })),
    "common word": common,
    "two common words": pairs.map((text) => ({ terms: terms(text), how: "words" })),
    phrase: hidden("phrase").map(({ text }) => ({ terms: terms(text), how: "phrase" })),
    "phrase of common words": pairs.map((text) => ({ terms: terms(text), how: "phrase" })),
    prefix: COMMON_WORDS.map((word) => ({ terms: terms(word.slice(0, 4)), how: "prefix" })),
    "common word, newest first": common.map((question) => ({ ...question, sort: "newest" })),
    "common word of a field": common.map((question) => ({ ...question, said: "user" })),
  };
}

/** Milliseconds that a processor works, which what else runs disturbs less than the time that passes. */
function processorTime(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** Milliseconds of each question, asked of each engine by turns. */
function timesOf(engines: readonly Engine[], questions: readonly Question[]): number[][] {
  for (const question of questions.slice(0, 5)) for (const engine of engines) engine.ask(question);
  const times = engines.map((): number[] => []);
  for (const question of questions) {
    for (const [place, engine] of engines.entries()) {
      times[place]?.push(processorTime(() => engine.ask(question)));
    }
  }
  return times;
}

function open(path: string): Database.Database {
  const database = new Database(path);
  database.pragma("journal_mode = WAL");
  database.pragma("synchronous = OFF");
  database.pragma("cache_size = -65536");
  return database;
}

function bytesOf(database: Database.Database): number {
  const number = (pragma: string) => Number(database.pragma(pragma, { simple: true }));
  return (number("page_count") - number("freelist_count")) * number("page_size");
}

class OwnIndex implements Engine {
  readonly #database;
  readonly #segments;
  readonly #builder = createSegmentBuilder();
  #views: SegmentView[] = [];
  #key = 0;

  constructor(path: string) {
    this.#database = open(path);
    addChecksums(this.#database);
    this.#database.exec(SEGMENTS_SQL);
    this.#segments = openSegments(this.#database, 40 * MEGABYTE);
  }

  begin(): void {
    this.#database.exec("BEGIN");
  }

  add({ text, said, timestamp }: Text): void {
    this.#builder.begin({ key: ++this.#key, ordinal: 0, part: 0, code: 0, timestamp });
    this.#builder.addText(text);
    this.#builder.addField("said", said);
  }

  commit(): void {
    this.#segments.write(this.#builder);
    this.#database.exec("COMMIT");
  }

  finish(): void {
    for (;;) {
      const chosen = segmentsToMerge(this.#segments.refresh());
      if (chosen.length === 0) break;
      const merge = this.#segments.merge(chosen, () => true);
      const step = this.#database.transaction(() => merge.next().done === true);
      while (!step());
    }
    this.#views = this.#segments.refresh().map((segment) => new SegmentView(segment));
  }

  ask({ terms, how, sort, said }: Question): unknown {
    const phrase = (some: readonly string[], leaf: number): IndexQuery => ({
      type: "phrases",
      phrases: [{ terms: [...some], prefix: how === "prefix" }],
      leaf,
    });
    const nodes = how === "words" ? terms.map((term, leaf) => phrase([term], leaf)) : [phrase(terms, 0)];
    if (said !== undefined) {
      nodes.push({ type: "values", query: { field: "said", literal: said, matches: (value) => value === said } });
    }
    return topDocuments(this.#views, { type: "and", nodes }, { limit: LIMIT, sort: sort ?? "relevance" });
  }

  get bytes(): number {
    return bytesOf(this.#database);
  }

  close(): void {
    this.#database.close();
  }
}

/** Gets terms that are split already, so that it does not have to fold them. */
class Fts5 implements Engine {
  readonly #database;
  readonly #insert;
  readonly #best;
  readonly #newest;
  #row = 0;

  constructor(path: string) {
    this.#database = open(path);
    this.#database.exec(`
      CREATE VIRTUAL TABLE text USING fts5(
        body, said, content='', contentless_delete=1, detail='full',
        tokenize="unicode61 remove_diacritics 0 categories 'L* M* N* S* Co Cn'"
      );
      INSERT INTO text(text, rank) VALUES ('hashsize', ${32 * 1024 * 1024});
    `);
    this.#insert = this.#database.prepare("INSERT INTO text(rowid, body, said) VALUES (?, ?, ?)");
    this.#best = this.#database.prepare("SELECT rowid FROM text WHERE text MATCH ? ORDER BY rank LIMIT ?");
    // Rows were not added by time; a table that joins it would take longer.
    this.#newest = this.#database.prepare("SELECT rowid FROM text WHERE text MATCH ? ORDER BY rowid DESC LIMIT ?");
  }

  begin(): void {
    this.#database.exec("BEGIN");
  }

  add({ said }: Text, terms: readonly string[]): void {
    this.#insert.run(++this.#row, terms.join(" "), said);
  }

  commit(): void {
    this.#database.exec("COMMIT");
  }

  finish(): void {
    this.#database.exec("INSERT INTO text(text) VALUES ('optimize')");
  }

  ask({ terms, how, sort, said }: Question): unknown {
    const quoted = terms.map((term) => `"${term}"`);
    const words = how === "words" ? quoted.join(" AND ") : `"${terms.join(" ")}"${how === "prefix" ? " *" : ""}`;
    const query = `body:(${words})${said === undefined ? "" : ` AND said:"${said}"`}`;
    return (sort === "newest" ? this.#newest : this.#best).all(query, LIMIT);
  }

  get bytes(): number {
    return bytesOf(this.#database);
  }

  close(): void {
    this.#database.close();
  }
}
