import type { SearchPart } from "../../format/format.ts";
import type { PartKind } from "../../library.ts";
import { IndexError } from "./index-error.ts";

/**
 * Texts are kept in one table for each voice: a search for a role reads nothing else, and a voice has a weight.
 * The order is part of the index version.
 */
export const VOICES = ["user", "assistant", "tool", "other"] as const;
export type Voice = (typeof VOICES)[number];

/** Factors on the score: what people wrote, then what was answered, outweighs what tools returned. */
export const VOICE_WEIGHTS: Readonly<Record<Voice, number>> = { user: 3, assistant: 2, tool: 1, other: 3 };

type Part = Pick<SearchPart, "kind" | "role">;

/** Kinds of text by code. The order is part of the index version. */
const PARTS: readonly Part[] = [
  { kind: "name", role: null },
  { kind: "label", role: null },
  { kind: "text", role: "user" },
  { kind: "text", role: "assistant" },
  { kind: "text", role: null },
  { kind: "thinking", role: "assistant" },
  { kind: "tool_call", role: "tool" },
  { kind: "tool_result", role: "tool" },
  { kind: "bash", role: "tool" },
  { kind: "summary", role: null },
];

export function partCode(kind: PartKind, role: SearchPart["role"]): number {
  const code = PARTS.findIndex((part) => part.kind === kind && part.role === role);
  if (code < 0) throw new Error(`There is no code for the text ${kind} of role ${role}.`);
  return code;
}

export function partOfCode(code: number): Part {
  const part = PARTS[code];
  if (part === undefined) throw new IndexError("damaged", `A row has an unknown kind of text, ${code}.`);
  return part;
}

export function voiceOf(role: SearchPart["role"]): Voice {
  return role ?? "other";
}

export function textTable(voice: Voice): string {
  return `text_${voice}`;
}
