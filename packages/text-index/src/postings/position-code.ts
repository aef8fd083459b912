import { damaged } from "../storage/damaged.ts";
import { type BitReader, riceParameter } from "./bit-reader.ts";

/**
 * Reads the positions of one term in one document: differences in Rice code. Their number and the document's length,
 * both known to the reader, determine the code's parameter. A single position, the most common case, is a number below
 * that length.
 *
 * For any distribution, a position takes at most two and a half bits more than the logarithm of the mean distance.
 *
 * @throws IndexError if a position is after the end of the document.
 */
export function readPositions(bits: BitReader, into: Uint32Array, frequency: number, documentLength: number): void {
  if (frequency === 1) {
    into[0] = bits.readBelow(documentLength);
    return;
  }
  const parameter = riceParameter(documentLength - frequency, frequency);
  let next = 0;
  for (let index = 0; index < frequency; index++) {
    next += bits.readRice(parameter);
    into[index] = next++;
  }
  if (next > documentLength) throw damaged("A position lies behind the end of its document.");
}
