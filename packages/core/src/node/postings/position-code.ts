import { type BitReader, type BitWriter, riceParameter } from "./bits.ts";
import { damaged } from "./damaged.ts";

/**
 * Writes the positions of one term in one document, as differences in Rice's code. The reader knows how many there are
 * and how long the document is, which is all that the parameter of the code depends on. A single position, which is
 * what most have, is a number below that length.
 *
 * However the positions are spread, they take at most two and a half bits each beyond the logarithm of their mean
 * distance.
 */
export function writePositions(
  bits: BitWriter,
  positions: Uint32Array,
  from: number,
  to: number,
  documentLength: number,
): void {
  const frequency = to - from;
  if (frequency === 1) {
    bits.writeBelow(positions[from] as number, documentLength);
    return;
  }
  const parameter = riceParameter(documentLength - frequency, frequency);
  let next = 0;
  for (let at = from; at < to; at++) {
    const position = positions[at] as number;
    bits.writeRice(position - next, parameter);
    next = position + 1;
  }
}

/** @throws IndexError where a position lies behind the end of the document. */
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

/** Reads over the positions of a document. */
export function skipPositions(bits: BitReader, frequency: number, documentLength: number): void {
  if (frequency === 1) {
    bits.readBelow(documentLength);
    return;
  }
  const parameter = riceParameter(documentLength - frequency, frequency);
  for (let index = 0; index < frequency; index++) bits.readRice(parameter);
}
