import type { Usage } from "../session/record.ts";
import type { RawLine } from "./format.ts";

/** What a message of the user or an assistant tells without being parsed. */
export interface SaidWithoutParsing {
  /** What is said, or as much of its beginning as was asked for. */
  text: string;
  calledTools: string[];
  model: string | null;
  provider: string | null;
  usage: Usage | null;
}

/** Longer lines hold images; to look at every letter of them pays no more. */
const LONGEST = 64 * 1024;
/** What follows the content, and how far from the end of the line it is looked for. */
const REST = {
  user: { begin: '],"timestamp":', letters: 64, read: restOfUser },
  assistant: { begin: '],"api":"', letters: 1024, read: restOfAssistant },
} as const;
const REST_OF_USER = /\],"timestamp":\d+\}\}\r?$/y;
/** Where an answer comes from and what it has cost; why it ended and what it was called comes after. */
const REST_OF_ASSISTANT =
  /\],"api":"[\w.-]+","provider":"([\w./:@-]+)","model":"([\w./:@-]+)","usage":\{"input":(\d+),"output":(\d+),"cacheRead":(\d+),"cacheWrite":(\d+),"totalTokens":(\d+),"cost":\{"input":[\d.e-]+,"output":[\d.e-]+,"cacheRead":[\d.e-]+,"cacheWrite":[\d.e-]+,"total":([\d.e-]+)\}\},"stopReason":"/y;
const END_OF_LINE = /\}\}\r?$/;
const END_OF_LINE_BYTES = 3;
/** Blocks begin like this; what the text and the arguments say comes next. */
const BLOCK =
  /\{"type":"(?:text","text":(")|thinking","thinking":"|image","|toolCall","id":"[^"\\]*","name":"([\w.:@-]+)","arguments":\{)/y;
const ANY_BLOCK = '{"type":"';
/** Letters that are written as they are, in a byte each. */
const PLAIN = /[ !#-[\]-~]*/y;
/** Letters and whole escapes of a JSON string. */
const JSON_LETTERS = /(?:[^"\\]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*/y;
/** Most letters take three bytes at most. */
const BYTES_A_LETTER = 3;
/** What decoding makes of bytes that end in the middle of a letter takes so many letters at most. */
const HALF_A_LETTER = 3;

/**
 * Reads the content of a message block by block, and of each block the beginning alone.
 *
 * Inside a string every quote is escaped, so that what begins a block is no text; an object in the arguments of a call
 * may look like a block. `null` where the line has to be parsed.
 *
 * @param start where the first block begins.
 * @param letters of what is said that are wanted.
 */
export function saidWithoutParsing(
  line: RawLine,
  role: keyof typeof REST,
  start: number,
  letters: number,
): SaidWithoutParsing | null {
  if (line.length > LONGEST) return null;
  const json = line.slice(0, line.length);
  const { begin, letters: mostOfRest, read } = REST[role];
  const end = json.indexOf(begin, Math.max(start, json.length - mostOfRest));
  const rest = end < 0 ? null : read(json, end);
  if (rest === null) return null;
  const enough = letters + HALF_A_LETTER;
  const calledTools: string[] = [];
  let text = "";
  for (let at = start; at < end; ) {
    BLOCK.lastIndex = at;
    const block = BLOCK.exec(json);
    if (block === null) return null;
    const [, isText, tool] = block;
    if (tool !== undefined) calledTools.push(tool);
    if (isText !== undefined && text.length < enough) {
      const piece = pieceOf(line, json, BLOCK.lastIndex, enough);
      if (piece === null) return null;
      const joined = text === "" || piece.text === "" ? text + piece.text : `${text}\n${piece.text}`;
      text = joined.trimStart();
      if (!piece.isWhole && text.length < enough) return null;
    }
    const next = json.indexOf(ANY_BLOCK, BLOCK.lastIndex);
    if (next < 0 || next > end) break;
    if (!json.startsWith("},", next - 2)) return null;
    at = next;
  }
  return { text, calledTools, ...rest };
}

const NOTHING_MORE = { model: null, provider: null, usage: null };

function restOfUser(json: string, end: number) {
  REST_OF_USER.lastIndex = end;
  return REST_OF_USER.test(json) ? NOTHING_MORE : null;
}

function restOfAssistant(json: string, end: number) {
  REST_OF_ASSISTANT.lastIndex = end;
  const rest = REST_OF_ASSISTANT.exec(json);
  if (rest === null || !END_OF_LINE.test(json.slice(-END_OF_LINE_BYTES))) return null;
  const [, provider = "", model = "", input, output, cacheRead, cacheWrite, total, cost] = rest;
  const usage: Usage = {
    input_tokens: Number(input),
    output_tokens: Number(output),
    cache_read_tokens: Number(cacheRead),
    cache_write_tokens: Number(cacheWrite),
    total_tokens: Number(total),
    cost_usd: Number(cost),
  };
  return { model, provider, usage };
}

/** The beginning of a JSON string; `null` where it is none. */
function pieceOf(line: RawLine, json: string, start: number, letters: number) {
  PLAIN.lastIndex = 0;
  const plain = PLAIN.exec(json.slice(start, start + letters))?.[0] ?? "";
  if (plain.length === letters) return { text: plain, isWhole: false };
  if (json.startsWith('"', start + plain.length)) return { text: plain, isWhole: true };
  const most = json.slice(start, start + BYTES_A_LETTER * letters);
  JSON_LETTERS.lastIndex = 0;
  const length = JSON_LETTERS.exec(most)?.[0].length ?? 0;
  const written = line.text(start, start + length);
  const isWhole = json.startsWith('"', start + length);
  if (!written.includes("\\")) return { text: written, isWhole };
  try {
    return { text: String(JSON.parse(`"${written}"`)), isWhole };
  } catch {
    return null;
  }
}
