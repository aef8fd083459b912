import { mkdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ClaudeCodeLines, type CorpusEntry } from "./claude-code-lines.ts";
import { CodexLines } from "./codex-lines.ts";
import type { Corpus } from "./corpus.ts";
import { rareWord } from "./rare-word.ts";
import { sessionFiles } from "./session-files.ts";

export type TranslatedFormat = "claude-code" | "codex";

/** The sessions of a corpus as another agent would have kept them. */
export interface TranslatedHome {
  format: TranslatedFormat;
  /** The home of that agent. */
  home: string;
  sessions: number;
  bytes: number;
  planted: PlantedText[];
  /** A session to write on, and what writes it. */
  growing: { path: string; prompt(text: string): string };
}

/** A text that occurs in one session. */
export interface PlantedText {
  place: string;
  query: string;
  path: string;
}

/** Places that all agents know. */
const PLACES: ReadonlySet<string> = new Set([
  "user",
  "assistant",
  "thinking",
  "tool_call",
  "file_path",
  "tool_result",
  "compaction",
]);
/** Words for edits of translated sessions begin here. */
const PATCH_WORDS = 900_000;

/** Translates sessions until as many bytes are written as the corpus has. */
export function translateCorpus(corpus: Corpus, format: TranslatedFormat, home: string): TranslatedHome {
  const planted: PlantedText[] = [];
  let growing: TranslatedHome["growing"] | null = null;
  let bytes = 0;
  let sessions = 0;
  for (const { path: source, modifiedAt } of sessionFiles(corpus.agentHome)) {
    if (bytes >= corpus.manifest.bytes) break;
    const [header, ...entries] = readFileSync(source, "utf8")
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line)) as [{ id: string; cwd: string; timestamp: string }, ...CorpusEntry[]];
    const patchWord = rareWord("line", PATCH_WORDS + sessions);
    const isPatched = plantInEdit(entries, patchWord);
    const writer = writerOf(format, header);
    const path = join(home, writer.path);
    const text = [...writer.header, ...entries.flatMap((entry) => [...writer.of(entry)])].map(asLine).join("");
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    // What is newest is read first.
    utimesSync(path, modifiedAt / 1000, modifiedAt / 1000);
    bytes += Buffer.byteLength(text);
    sessions++;
    for (const { place, query, path: own } of corpus.needles) {
      if (join(corpus.agentHome, own) === source && PLACES.has(place)) planted.push({ place, query, path });
    }
    if (isPatched) planted.push({ place: "patch", query: patchWord, path });
    growing ??= { path, prompt: (said) => writer.prompt(said, new Date().toISOString()).map(asLine).join("") };
  }
  if (growing === null) throw new Error("The corpus has no sessions.");
  return { format, home, sessions, bytes, planted, growing };
}

function asLine(record: object): string {
  return `${JSON.stringify(record)}\n`;
}

/** Puts a word into what the first edit writes. */
function plantInEdit(entries: readonly CorpusEntry[], word: string): boolean {
  for (const entry of entries) {
    if (entry.type !== "message" || entry.message.role !== "assistant") continue;
    for (const block of entry.message.content) {
      const edits = block.type === "toolCall" ? block.arguments.edits : undefined;
      if (!Array.isArray(edits) || edits[0] === undefined) continue;
      edits[0].newText += `\n// ${word}`;
      return true;
    }
  }
  return false;
}

interface Writer {
  path: string;
  header: object[];
  of(entry: CorpusEntry): Iterable<object>;
  prompt(text: string, timestamp: string): object[];
}

function writerOf(
  format: TranslatedFormat,
  { id, cwd, timestamp }: { id: string; cwd: string; timestamp: string },
): Writer {
  if (format === "claude-code") {
    const lines = new ClaudeCodeLines({ id, cwd });
    return {
      path: lines.path(),
      header: [],
      of: (entry) => lines.of(entry),
      prompt: (text, time) => [lines.prompt(text, time)],
    };
  }
  const lines = new CodexLines({ id, cwd });
  return {
    path: lines.path(timestamp),
    header: [lines.header(timestamp)],
    of: (entry) => lines.of(entry),
    prompt: (text, time) => [...lines.prompt(text, time)],
  };
}
