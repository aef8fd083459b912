import type { PartKind, SearchRole } from "@sm/core";
import { rareCjk } from "./cjk.ts";
import { nameOf } from "./name.ts";
import type { Random } from "./random.ts";
import { rareWord } from "./rare-word.ts";
import { COMMON_WORDS, NOUNS, VERBS } from "./words.ts";

/** Where a needle is hidden; every place that can be searched is one. */
export const NEEDLE_PLACES = [
  "user",
  "assistant",
  "thinking",
  "tool_call",
  "file_path",
  "tool_result",
  "bash_command",
  "bash_output",
  "compaction",
  "branch_summary",
  "custom_message",
  "name",
  "label",
] as const;

export type NeedlePlace = (typeof NEEDLE_PLACES)[number];

export const NEEDLE_FORMS = ["word", "phrase", "identifier", "identifier_part", "cjk"] as const;

export type NeedleForm = (typeof NEEDLE_FORMS)[number];

/** A text that occurs once in the corpus, and the query that has to find it. */
export interface PlannedNeedle {
  place: NeedlePlace;
  form: NeedleForm;
  text: string;
  query: string;
}

/** One needle as the manifest lists it. */
export interface Needle extends PlannedNeedle {
  /** Relative to the agent home. */
  path: string;
  entryId: string;
  kind: PartKind;
  /** The narrowest `role` of a search that finds it. */
  role: SearchRole;
  /** Of the session. */
  cwd: string;
}

export const NEEDLE_WAYS = ["words", "substring", "fields"] as const;

/** A search that has to find a needle. */
export interface NeedleSearch {
  way: (typeof NEEDLE_WAYS)[number];
  query: string;
  role: SearchRole;
}

/** How a needle in each place is found. */
export const EXPECTED: Record<NeedlePlace, Pick<Needle, "kind" | "role">> = {
  user: { kind: "text", role: "user" },
  assistant: { kind: "text", role: "assistant" },
  thinking: { kind: "thinking", role: "assistant" },
  tool_call: { kind: "tool_call", role: "tool" },
  file_path: { kind: "tool_call", role: "tool" },
  tool_result: { kind: "tool_result", role: "tool" },
  bash_command: { kind: "bash", role: "tool" },
  bash_output: { kind: "bash", role: "tool" },
  compaction: { kind: "summary", role: "all" },
  branch_summary: { kind: "summary", role: "all" },
  custom_message: { kind: "text", role: "all" },
  name: { kind: "name", role: "all" },
  label: { kind: "label", role: "all" },
};

/** The tool that `tool:` names for needles that one was given or has returned. */
const TOOLS: Partial<Record<NeedlePlace, string>> = {
  tool_call: "bash",
  file_path: "read",
  tool_result: "bash",
  bash_command: "bash",
  bash_output: "bash",
};

/** The path that a tool is given for a needle that is hidden in one. */
export function pathWith(text: string): string {
  return `src/${text}.ts`;
}

/** Lists the ways in which a needle has to be found: as such, as a part of its characters, and with every field. */
export function searchesFor(needle: Needle): NeedleSearch[] {
  const { place, text, query, role, cwd } = needle;
  const tool = TOOLS[place];
  const fields = [
    `project:"${cwd}"`,
    ...(tool === undefined ? [] : [`tool:${tool}`]),
    ...(place === "file_path" ? [`file:"${pathWith(text)}"`] : []),
  ];
  return [
    { way: "words", query, role: "all" },
    ...(role === "all" ? [] : [{ way: "words" as const, query, role }]),
    // From the middle of a word to the middle of a word.
    { way: "substring", query: `~"${text.slice(1, -1)}"`, role: "all" },
    { way: "fields", query: [query, ...fields].join(" "), role },
    ...(place === "file_path" ? [{ way: "fields" as const, query: fields.join(" "), role: "all" as const }] : []),
  ];
}

/** Chooses place and form so that every pair of them comes up equally often. */
export function planNeedle(random: Random, index: number): PlannedNeedle {
  const place = NEEDLE_PLACES[index % NEEDLE_PLACES.length] ?? "user";
  const form = NEEDLE_FORMS[index % NEEDLE_FORMS.length] ?? "word";
  return { place, form, ...needleText(random, index, form) };
}

function needleText(random: Random, index: number, form: NeedleForm): { text: string; query: string } {
  const word = rareWord("needle", index);
  switch (form) {
    case "word":
      return { text: word, query: word };
    case "phrase": {
      // Each word is everywhere; only the order of the five occurs once.
      const text = Array.from({ length: 5 }, () => random.pick(COMMON_WORDS)).join(" ");
      return { text, query: `"${text}"` };
    }
    case "identifier": {
      const name = nameOf([random.pick(VERBS), word, random.pick(NOUNS)]);
      return { text: name.camel, query: random.pick([name.camel, name.snake]) };
    }
    case "identifier_part": {
      const name = nameOf([random.pick(VERBS), word, random.pick(NOUNS)]);
      return { text: random.pick([name.camel, name.pascal, name.snake, name.kebab, name.constant]), query: word };
    }
    case "cjk": {
      const text = rareCjk(random, 5);
      return { text, query: text.slice(1, 3) };
    }
  }
}
