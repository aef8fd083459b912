// Walks lines of JSON and lists their values, see `JsonScanner`. This is AssemblyScript: most of a transcript is long
// strings, of which sixteen bytes at a time are looked at. Whatever is not sure to be valid is left to `JSON.parse`.

import { ARRAY, FALSE, NAME_STEP, NULL, NUMBER, OBJECT, TOKEN_NUMBERS, TRUE } from "../../../../format/token-layout";
import { BUFFER_BYTES, MOST_TOKENS } from "../constants";
import { nameOf } from "./json/names";
import { isDigit, literalEnd, numberEnd } from "./json/scalars";
import { skipSpace } from "./json/space";
import { kindOfString, stringEnd } from "./json/strings";

export { addName, addressOfName } from "./json/names";

/** What is behind the buffer is looked at too, in blocks. */
const PADDING = 64;
const buffer = memory.data(BUFFER_BYTES + PADDING, 16);

const TOKEN_BYTES = TOKEN_NUMBERS * 4;
const tokens = memory.data(MOST_TOKENS * TOKEN_BYTES, 16);

/** No agent nests deeper; such lines fall back to JSON.parse. */
const DEEPEST = 60;
/** Addresses of the tokens of the arrays and objects around a value. */
const around = memory.data(DEEPEST * 4, 16);

const LF: u8 = 0x0a;
const QUOTE: u8 = 0x22;
const COMMA: u8 = 0x2c;
const COLON: u8 = 0x3a;
const OPEN_ARRAY: u8 = 0x5b;
const CLOSE_ARRAY: u8 = 0x5d;
const OPEN_OBJECT: u8 = 0x7b;
const CLOSE_OBJECT: u8 = 0x7d;

let tokenCount = 0;

/** The key of the next value, and its name. */
let keyStart: usize = 0;
let keyEnd: usize = 0;
let keyName = 0;

export function addressOfBuffer(): usize {
  return buffer;
}

export function addressOfTokens(): usize {
  return tokens;
}

/** Tokens of the line that was walked last. */
export function count(): i32 {
  return tokenCount;
}

/**
 * Walks the line that begins at a place of the buffer and ends in LF.
 *
 * @returns the place behind its LF; -1 where the line is to be parsed.
 */
export function scan(start: i32): i32 {
  let at = skipSpace(buffer + start);
  if (load<u8>(at) !== OPEN_OBJECT) return -1;
  let token = tokens;
  let depth = 0;
  noKey();
  while (true) {
    if (token === tokens + MOST_TOKENS * TOKEN_BYTES) return -1;
    const first = load<u8>(at);
    if (first === OPEN_OBJECT || first === OPEN_ARRAY) {
      if (depth === DEEPEST) return -1;
      store<u32>(around + depth++ * 4, u32(token));
      put(token, first === OPEN_OBJECT ? OBJECT : ARRAY, at, at);
      token += TOKEN_BYTES;
      at = skipSpace(at + 1);
      const isEmpty = load<u8>(at) === (first === OPEN_OBJECT ? CLOSE_OBJECT : CLOSE_ARRAY);
      if (!isEmpty) {
        at = first === OPEN_OBJECT ? valueBehindKey(at) : valueBehindNoKey(at);
        if (at === 0) return -1;
        continue;
      }
    } else {
      if (first === QUOTE) {
        const from = at + 1;
        at = stringEnd(from);
        if (at === 0) return -1;
        put(token, kindOfString, from, at);
        at++;
      } else {
        const from = at;
        const isNumber = first === 0x2d || isDigit(first);
        at = isNumber ? numberEnd(at) : literalEnd(at);
        if (at === 0) return -1;
        // By the first letter of `null`, `false`, `true`.
        put(token, isNumber ? NUMBER : first === 0x6e ? NULL : first === 0x66 ? FALSE : TRUE, from, at);
      }
      token += TOKEN_BYTES;
      at = skipSpace(at);
    }
    // What comes behind a value, or in an array or object without any.
    while (true) {
      const outer = load<u32>(around + (depth - 1) * 4);
      const isObject = (load<u32>(outer) & (NAME_STEP - 1)) === OBJECT;
      const next = load<u8>(at);
      if (next === COMMA) {
        at = skipSpace(at + 1);
        at = isObject ? valueBehindKey(at) : valueBehindNoKey(at);
        if (at === 0) return -1;
        break;
      }
      if (next !== (isObject ? CLOSE_OBJECT : CLOSE_ARRAY)) return -1;
      store<u32>(outer, u32(token - tokens) / TOKEN_BYTES, 8);
      at = skipSpace(at + 1);
      if (--depth > 0) continue;
      if (load<u8>(at) !== LF) return -1;
      tokenCount = i32(token - tokens) / TOKEN_BYTES;
      return i32(at + 1 - buffer);
    }
  }
}

function put(token: usize, kind: i32, start: usize, end: usize): void {
  store<i32>(token, kind + keyName * NAME_STEP);
  store<i32>(token, i32(start - buffer), 4);
  store<i32>(token, i32(end - buffer), 8);
  store<i32>(token, i32(keyStart), 12);
  store<i32>(token, i32(keyEnd), 16);
}

function noKey(): void {
  keyStart = 0;
  keyEnd = 0;
  keyName = 0;
}

function valueBehindNoKey(at: usize): usize {
  noKey();
  return at;
}

/** Reads a key. Returns where its value begins, 0 where there is none, or a key with escapes. */
function valueBehindKey(at: usize): usize {
  if (load<u8>(at) !== QUOTE) return 0;
  const from = at + 1;
  const end = stringEnd(from);
  if (end === 0 || kindOfString === 6) return 0;
  const colon = skipSpace(end + 1);
  if (load<u8>(colon) !== COLON) return 0;
  keyStart = from - buffer;
  keyEnd = end - buffer;
  keyName = nameOf(from, i32(end - from));
  return skipSpace(colon + 1);
}
