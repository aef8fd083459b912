import { damaged } from "../storage/damaged.ts";
import { type BitReader, riceParameter } from "./bit-reader.ts";

/**
 * Reads the positions of one term in one document, which are differences in Rice's code. The reader knows how many there
 * are and how long the document is, which is all that the parameter of the code depends on. A single position, which is
 * what most have, is a number below that length.
 *
 * However the positions are spread, they take at most two and a half bits each beyond the logarithm of their mean
 * distance.
 *
 * @throws IndexError where a position lies behind the end of the document.
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
