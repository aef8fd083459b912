import { PIECE_UNITS } from "../../constants";
import { PADDING } from "./allocation";
import { lowBytes } from "./table";

/** A piece of a text in UTF-16, many times the longest word in ASCII, since longer ones are payloads; or a JSON string. */
const PIECE_BYTES = 2 * PIECE_UNITS;
export const piece = memory.data(PIECE_BYTES + PADDING, 16);
const unitBytes = memory.data(PIECE_BYTES / 2 + PADDING, 16);
/** One byte for each unit of UTF-16, or as it was in JSON; from 0x80 on whatever is beyond ASCII. */
export let bytes: usize = 0;
/** For each byte a bit that tells whether it belongs to a word. */
const inWord = memory.data(PIECE_BYTES / 8 + PADDING, 16);
/** Where words begin and end, by turns; a few too many may be written behind them. */
export const edges = memory.data(4 * PIECE_BYTES + PADDING, 16);
/** Not 0 where any byte is beyond ASCII. */
let beyond = 0;

/** Fills `bytes` and `inWord` from a piece of so many units of UTF-16. */
export function loadUnits(length: i32): void {
  const most = i16x8.splat(0xff);
  beyond = 0;
  bytes = unitBytes;
  // What is left of a piece before this one belongs to no word.
  memory.fill(piece + 2 * length, 0, PADDING);
  for (let at = 0; at < length; at += 16) {
    const units = piece + 2 * at;
    const low = i16x8.min_u(v128.load(units), most);
    const part = i8x16.narrow_i16x8_u(low, i16x8.min_u(v128.load(units, 16), most));
    v128.store(unitBytes + at, part);
    classify(at, part);
  }
  memory.fill(inWord + 2 * ((length + 15) / 16), 0, 16);
}

/** The same where the piece is bytes already. */
export function loadBytes(length: i32): void {
  beyond = 0;
  bytes = piece;
  for (let at = 0; at < length; at += 16) classify(at, v128.load(piece + at));
  memory.fill(inWord + 2 * ((length + 15) / 16), 0, 16);
}

function classify(at: i32, part: v128): void {
  const lowered = v128.or(part, i8x16.splat(0x20));
  const isLetter = i8x16.lt_u(i8x16.sub(lowered, i8x16.splat(0x61)), i8x16.splat(26));
  const isDigit = i8x16.lt_u(i8x16.sub(part, i8x16.splat(0x30)), i8x16.splat(10));
  const highBits = i8x16.bitmask(part);
  beyond |= highBits;
  store<u16>(inWord + at / 8, i8x16.bitmask(v128.or(isLetter, isDigit)) | highBits);
}

/** Lists where the words of the piece begin and end, by turns. Returns where the list ends. */
export function listEdges(length: i32): usize {
  let before: u64 = 0;
  let end = edges;
  for (let block = 0; block <= length; block += 64) {
    const bits = load<u64>(inWord + block / 8);
    let left = bits ^ ((bits << 1) | before);
    before = bits >> 63;
    const start = end;
    end += 4 * usize(popcnt(left));
    // To ask for more after each would take longer than to write some too many.
    for (let at = start; at < end; at += 16) {
      store<i32>(at, block + i32(ctz(left)));
      left &= left - 1;
      store<i32>(at, block + i32(ctz(left)), 4);
      left &= left - 1;
      store<i32>(at, block + i32(ctz(left)), 8);
      left &= left - 1;
      store<i32>(at, block + i32(ctz(left)), 12);
      left &= left - 1;
    }
  }
  return end;
}

/** Tells whether any byte of a word is beyond ASCII. */
export function hasBeyondAscii(start: i32, length: i32): bool {
  if (beyond === 0) return false;
  const high: u64 = (0x80808080 << 32) | 0x80808080;
  let at = bytes + start;
  let left = length;
  for (; left > 8; left -= 8) {
    if ((load<u64>(at) & high) !== 0) return true;
    at += 8;
  }
  return (load<u64>(at) & high & lowBytes(left)) !== 0;
}
