import type { JsonValue } from "../json.ts";
import { cut, cutToJson, oneLine } from "../session/text.ts";
import type { ToolResultItem, TranscriptBlock, TranscriptItem } from "../session/transcript.ts";
import type { Texts } from "./texts.ts";

/** What is read and redacted behind the last shown character, so that a secret there is recognised. */
const BEHIND = 2_000;
/** What is read before the shown end of a text, for the same reason; private keys have up to 3,300 characters. */
const BEFORE = 4_096;
/** Of an entry, more cannot be shown, nor much more be read: to redact it takes the main thread 40 ms. */
export const MOST_OF_ENTRY = 131_072;
const FAILURE_LENGTH = 240;
/** Room for what says how much is left out in the middle. */
const GAP = 35;
/** Levels and members of a tool's arguments that are shown. */
const LEVELS = 8;
const MEMBERS = 200;
const MOST_OF_NAME = 200;
/** Longer pieces of a secret are known as one. */
const MOST_OF_WORD = 200;

/** An entry as a model reads it. */
export interface EntryText {
  /** Who it is from: `user`, `assistant`, `tool`. */
  role: string;
  /** Its text from the offset on. */
  text: string;
  /** Characters of the entry behind the shown ones, about; 0 if it is shown whole. */
  left: number;
  isError: boolean;
}

export interface EntryLimits {
  /** First character to show. */
  offset?: number;
  /** Characters to show. */
  limit: number;
  /** Whether all of the text is shown in order, so that another answer can go on; else what matters most of it. */
  inOrder?: boolean;
}

interface TextPiece {
  kind: "text";
  text: string;
  /** Characters to show, unless all are shown in order. */
  most?: number;
  /** Whether the end matters as the beginning does. */
  hasEnd?: boolean;
}

/** A piece of an entry before it is redacted. */
type Piece = TextPiece | { kind: "value"; before: string; value: JsonValue };

/** The text of an entry; `null` for one that tells nobody anything. Secrets are replaced. */
function entryText(
  item: TranscriptItem,
  texts: Texts,
  { offset = 0, limit, inOrder = false }: EntryLimits,
): EntryText | null {
  const shown = describe(item);
  if (shown === null || shown.pieces.length === 0) return null;
  const wanted = Math.min(offset + limit, MOST_OF_ENTRY);
  let text = "";
  let left = 0;
  let unread = MOST_OF_ENTRY + BEHIND;
  let isCut = false;
  for (const piece of shown.pieces) {
    const separator = text === "" ? "" : "\n";
    const room = wanted - text.length - separator.length;
    // In order, nothing follows what another answer goes on with.
    if (room <= 0 || unread <= 0 || (inOrder && isCut)) {
      left += piece.kind === "text" ? piece.text.length : 1;
      continue;
    }
    const read = inOrder
      ? readInOrder(piece, room, unread, texts)
      : piece.kind === "text"
        ? readText(piece, room, unread, texts)
        : readValue(piece, room, room + BEHIND, texts);
    isCut = read.isCut;
    unread -= read.read;
    text += separator + read.text;
    left += read.left;
  }
  if (text.trim() === "") return null;
  const end = cut(text, wanted);
  return { role: shown.role, text: end.slice(offset), left: left + (text.length - end.length), isError: shown.isError };
}

/** The text of an entry, of at most `limit` characters as it is and as a JSON string. */
export function fittingText(item: TranscriptItem, texts: Texts, limits: EntryLimits): EntryText | null {
  const { limit, inOrder = false } = limits;
  let read = entryText(item, texts, limits);
  const length = read === null ? 0 : JSON.stringify(read.text).length - 2;
  // Cut again where the end is shown, which would be cut off.
  if (length > limit && !inOrder) {
    read = entryText(item, texts, { ...limits, limit: Math.floor(((limit * limit) / length) * 0.98) });
  }
  if (read === null) return null;
  const text = cutToJson(read.text, limit);
  return { ...read, text, left: read.left + read.text.length - text.length };
}

/** The first and the last words of what a failed call returned, in one line. */
export function failureText(item: ToolResultItem, texts: Texts): string {
  const blocks = { ...item, tool_name: null, is_error: false };
  const text = entryText(blocks, texts, { limit: FAILURE_LENGTH })?.text ?? "";
  return oneLine(text.replace(/^\[tool returned\]\n?/, ""), FAILURE_LENGTH + 50);
}

/** What is read of a piece of an entry. */
interface ReadPiece {
  text: string;
  /** Characters behind the shown ones, about. */
  left: number;
  /** Whether more can be shown where there is more room. */
  isCut: boolean;
  /** Characters that were redacted. */
  read: number;
}

/**
 * The beginning of a piece, as every answer that shows more of it has it: placeholders are shorter than what they
 * replace, so as much is read as fills the room, and some more.
 */
function readInOrder(piece: Piece, room: number, unread: number, texts: Texts): ReadPiece {
  for (let length = room + BEHIND; ; length *= 4) {
    const most = Math.min(length, unread);
    const read = piece.kind === "text" ? readBeginning(piece.text, most, texts) : readValue(piece, most, most, texts);
    const safe = read.isCut ? Math.max(0, read.text.length - BEHIND / 2) : read.text.length;
    if (read.isCut && safe < room && most < unread) continue;
    const text = cut(read.text, Math.min(room, safe));
    const behind = read.text.length - text.length;
    return { text, left: read.left + behind, isCut: read.isCut || behind > 0, read: read.read };
  }
}

function readBeginning(text: string, most: number, texts: Texts): ReadPiece {
  const read = Math.min(text.length, most);
  const isCut = read < text.length;
  return {
    text: isCut ? texts.beginning(withoutLastWord(text.slice(0, read))) : texts.whole(text),
    left: text.length - read,
    isCut,
    read,
  };
}

/** What matters most of a text. */
function readText(
  { text, most = Number.POSITIVE_INFINITY, hasEnd = false }: Omit<TextPiece, "kind">,
  room: number,
  unread: number,
  texts: Texts,
): ReadPiece {
  const limit = Math.min(room, most);
  const read = Math.min(text.length, limit + BEHIND, unread);
  if (text.length <= Math.min(limit, unread)) return { text: texts.whole(text), left: 0, isCut: false, read };
  const window = text.slice(0, read);
  const redacted = read < text.length ? texts.beginning(withoutLastWord(window)) : texts.whole(window);
  // Errors are told at the end of an output.
  const end = hasEnd ? endOf(text, Math.floor(limit * 0.4), texts) : "";
  const beginning = cut(redacted, end === "" ? limit : Math.max(0, Math.floor(limit * 0.6) - GAP));
  const left = text.length - beginning.length - end.length;
  if (left <= 0) return { text: cut(redacted, limit), left: 0, isCut: false, read };
  const shown = end === "" ? beginning : `${beginning}\n[… ${left} characters …]\n${end}`;
  return { text: shown, left, isCut: true, read };
}

function endOf(text: string, length: number, texts: Texts): string {
  const window = text.slice(-(length + BEFORE));
  let shown = window;
  if (texts.redacts) {
    const end = window.indexOf("-----END");
    const begin = window.indexOf("-----BEGIN");
    // The rest of a key that is longer than what is read.
    if (end >= 0 && (begin < 0 || end < begin)) return "";
    shown = texts.whole(window);
    // What a key further on leaves over begins too close to the beginning of what is read.
    if (window.length < text.length && shown.length < length + BEFORE / 2) return "";
  }
  const end = shown.slice(-length);
  return end.slice(end.indexOf("\n") + 1);
}

/** @param most characters that are redacted. */
function readValue({ before, value }: Piece & { kind: "value" }, limit: number, most: number, texts: Texts): ReadPiece {
  const room = { left: Math.max(0, most) };
  const bounded = boundedValue(value, room, LEVELS);
  const whole = before + JSON.stringify(texts.value(bounded.value, null));
  const text = cut(whole, Math.max(0, limit));
  return {
    text,
    left: whole.length - text.length + bounded.left,
    isCut: text.length < whole.length || (bounded.left > 0 && room.left <= 0),
    read: Math.max(0, most - room.left),
  };
}

/** Of a text that is cut off: its last word may be a piece of a secret that is too short to be known. */
function withoutLastWord(text: string): string {
  const last = text.slice(-MOST_OF_WORD);
  return text.slice(0, text.length - last.length) + last.replace(/[\w+/=.@~-]+$/, "");
}

/** The beginning of a value: a tool may have been given a file of megabytes. */
function boundedValue(value: JsonValue, room: { left: number }, levels: number): { value: JsonValue; left: number } {
  if (typeof value === "string") {
    const shown = value.slice(0, Math.max(0, room.left));
    room.left -= shown.length + '"",'.length;
    if (shown.length === value.length) return { value, left: 0 };
    return { value: withoutLastWord(shown), left: value.length - shown.length };
  }
  if (typeof value !== "object" || value === null) {
    room.left -= String(value).length + ",".length;
    return { value, left: 0 };
  }
  room.left -= "{},".length;
  if (levels === 0) return { value: "…", left: 1 };
  let left = 0;
  const bounded = (member: JsonValue): JsonValue => {
    const made = boundedValue(member, room, levels - 1);
    left += made.left;
    return made.value;
  };
  if (Array.isArray(value)) {
    const elements: JsonValue[] = [];
    for (const element of value) {
      if (elements.length === MEMBERS || room.left <= 0) break;
      elements.push(bounded(element));
    }
    return { value: elements, left: left + value.length - elements.length };
  }
  const entries = Object.entries(value);
  const members: [string, JsonValue][] = [];
  for (const [name, member] of entries) {
    if (members.length === MEMBERS || room.left <= 0) break;
    const shown = name.slice(0, MOST_OF_NAME);
    room.left -= shown.length + '"":'.length;
    members.push([shown.length < name.length ? withoutLastWord(shown) : name, bounded(member ?? null)]);
  }
  return { value: Object.fromEntries(members), left: left + entries.length - members.length };
}

/** Longer thoughts say little that the answer does not. */
const MOST_THINKING = 800;

function describe(item: TranscriptItem): { role: string; isError: boolean; pieces: Piece[] } | null {
  switch (item.kind) {
    case "message": {
      if (item.hidden) return null;
      if (item.role === "system")
        return { role: "system", isError: false, pieces: [note("instructions of the agent")] };
      const pieces = item.blocks.flatMap(pieceOf);
      if (item.error_message !== null) pieces.push({ kind: "text", text: `[failed: ${item.error_message}]` });
      return { role: item.role, isError: item.error_message !== null, pieces };
    }
    case "tool_result": {
      const name = item.tool_name ?? "tool";
      const pieces = item.blocks.flatMap(pieceOf).map((piece) => withEnd(piece));
      const first: Piece = { kind: "text", text: `[${name} ${item.is_error ? "failed" : "returned"}]` };
      return { role: "tool", isError: item.is_error, pieces: [first, ...pieces] };
    }
    case "bash": {
      const failed = item.cancelled || (item.exit_code !== null && item.exit_code !== 0);
      const code = item.cancelled ? "[cancelled]" : item.exit_code === null ? "" : `[exit code ${item.exit_code}]`;
      const pieces: Piece[] = [
        { kind: "text", text: `$ ${item.command}` },
        { kind: "text", text: code },
        { kind: "text", text: item.output, hasEnd: true },
      ];
      return {
        role: "user",
        isError: failed,
        pieces: pieces.filter((piece) => piece.kind !== "text" || piece.text !== ""),
      };
    }
    case "summary":
      return {
        role: "summary",
        isError: false,
        pieces: [{ kind: "text", text: `[summary of what came before]\n${item.text}` }],
      };
    case "note":
      return null;
  }
}

function pieceOf(block: TranscriptBlock): Piece[] {
  switch (block.kind) {
    case "text":
      return block.text === "" ? [] : [{ kind: "text", text: block.text }];
    case "thinking":
      return block.text === "" ? [] : [{ kind: "text", text: `[thinking] ${block.text}`, most: MOST_THINKING }];
    case "image":
      return [note("image")];
    case "tool_call":
      return [{ kind: "value", before: `[calls ${block.name.slice(0, 100)}] `, value: block.arguments }];
    case "section":
      return [note(`instructions: ${block.name.slice(0, 100)}`)];
    case "tools":
      return [note("list of tools")];
    case "raw":
      return [];
  }
}

function withEnd(piece: Piece): Piece {
  return piece.kind === "text" ? { ...piece, hasEnd: true } : piece;
}

function note(text: string): Piece {
  return { kind: "text", text: `[${text}]` };
}
