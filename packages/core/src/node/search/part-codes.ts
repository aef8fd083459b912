import { IndexError } from "@sm/text-index/storage";
import type { SearchPart } from "../../format/format.ts";
import type { PartKind } from "../../library.ts";

type Part = Pick<SearchPart, "kind" | "role">;

/** Kinds of text by code. The order is part of the index version. */
export const PARTS: readonly Part[] = [
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

/** Code of a kind of text in the index. */
export function partCode(kind: PartKind, role: SearchPart["role"]): number {
  const code = PARTS.findIndex((part) => part.kind === kind && part.role === role);
  if (code < 0) throw new Error(`There is no code for the text ${kind} of role ${role}.`);
  return code;
}

/** @throws IndexError for an unknown code. */
export function partOfCode(code: number): Part {
  const part = PARTS[code];
  if (part === undefined) throw new IndexError("damaged", `A document has an unknown kind of text, ${code}.`);
  return part;
}
