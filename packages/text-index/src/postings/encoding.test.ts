import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readText, writeText } from "../segment/term-text.ts";
import { IndexError } from "../storage/index-error.ts";
import { ByteReader, ByteWriter, MAX_VARINT } from "../storage/varint.ts";
import { BitReader } from "./bit-reader.ts";
import { BitWriter, writePositions } from "./bit-writer.fixture.ts";
import { readPositions } from "./position-code.ts";

const anyNumber = fc.oneof(fc.nat(3), fc.nat(300), fc.nat(2 ** 30));

type Code =
  | { code: "rice"; value: number; parameter: number }
  | { code: "gamma"; value: number }
  | { code: "below"; value: number; limit: number }
  | { code: "plain"; value: number; bits: number };

const anyCode: fc.Arbitrary<Code> = fc.oneof(
  // The bits above the parameter are written one by one.
  fc.tuple(fc.nat(30), fc.nat(200), fc.nat()).map(([parameter, high, low]): Code => {
    const value = Math.min(2 ** 31 - 1, high * 2 ** parameter + (low % 2 ** parameter));
    return { code: "rice", value, parameter };
  }),
  anyNumber.map((value): Code => ({ code: "gamma", value: value + 1 })),
  fc
    .tuple(fc.integer({ min: 1, max: 2 ** 30 }), fc.nat())
    .map(([limit, value]): Code => ({ code: "below", value: value % limit, limit })),
  fc
    .tuple(fc.nat(32), fc.nat(0xffffffff))
    .map(([bits, value]): Code => ({ code: "plain", value: bits === 0 ? 0 : value % 2 ** bits, bits })),
);

function load(bits: BitReader, bytes: Uint8Array): void {
  bits.begin(bytes.length).set(bytes);
}

function write(bits: BitWriter, item: Code): void {
  if (item.code === "rice") bits.writeRice(item.value, item.parameter);
  else if (item.code === "gamma") bits.writeGamma(item.value);
  else if (item.code === "below") bits.writeBelow(item.value, item.limit);
  else bits.write(item.value, item.bits);
}

function read(bits: BitReader, item: Code): number {
  if (item.code === "rice") return bits.readRice(item.parameter);
  if (item.code === "gamma") return bits.readGamma();
  if (item.code === "below") return bits.readBelow(item.limit);
  return bits.read(item.bits);
}

describe("bits", () => {
  it("are read as they were written, in all codes", () => {
    const writer = new BitWriter();
    const reader = new BitReader();
    fc.assert(
      fc.property(fc.array(anyCode, { maxLength: 60 }), (codes) => {
        for (const item of codes) write(writer, item);
        load(reader, writer.take());
        for (const item of codes) expect(read(reader, item)).toBe(item.value);
        expect(() => reader.check()).not.toThrow();
      }),
      { numRuns: 500 },
    );
  });

  it("end where they end, also for zeros without end", () => {
    const reader = new BitReader();
    load(reader, Uint8Array.of(0, 0, 0));
    expect(() => reader.readRice(3)).toThrow(IndexError);
    load(reader, Uint8Array.of(0, 0, 0));
    expect(() => reader.readGamma()).toThrow(IndexError);
    load(reader, new Uint8Array(0));
    reader.read(1);
    expect(() => reader.check()).toThrow(IndexError);
  });
});

describe("positions", () => {
  const anyDocument = fc
    .tuple(fc.uniqueArray(fc.oneof(fc.nat(20), fc.nat(5000)), { minLength: 1, maxLength: 200 }), fc.nat(100))
    .map(([positions, rest]) => {
      positions.sort((a, b) => a - b);
      return { positions, length: (positions.at(-1) ?? 0) + 1 + rest };
    });

  it("are read, or read over, as they were written", () => {
    const writer = new BitWriter();
    const reader = new BitReader();
    fc.assert(
      fc.property(fc.array(fc.tuple(anyDocument, fc.boolean()), { maxLength: 10 }), (documents) => {
        for (const [{ positions, length }] of documents) {
          writePositions(writer, Uint32Array.from([7, ...positions]), 1, positions.length + 1, length);
        }
        load(reader, writer.take());
        for (const [{ positions, length }, isSkipped] of documents) {
          const into = new Uint32Array(positions.length);
          if (isSkipped) {
            reader.skipPositions(Uint32Array.of(0), Uint32Array.of(positions.length), Uint32Array.of(length), 0, 1);
          } else {
            readPositions(reader, into, positions.length, length);
            expect([...into]).toEqual(positions);
          }
        }
        expect(() => reader.check()).not.toThrow();
      }),
    );
  });

  it("take few bits, also where they stand close together or far apart", () => {
    const writer = new BitWriter();
    const bitsEach = (positions: number[], length: number): number => {
      writePositions(writer, Uint32Array.from(positions), 0, positions.length, length);
      return (writer.take().length * 8) / positions.length;
    };
    const even = Array.from({ length: 1000 }, (_, at) => at * 64);
    const together = Array.from({ length: 1000 }, (_, at) => at);
    expect(bitsEach(even, 64_000)).toBeLessThan(8);
    expect(bitsEach(together, 64_000)).toBeLessThan(8);
    expect(bitsEach([...together.slice(1), 63_999], 64_000)).toBeLessThan(9);
    expect(bitsEach(together, 1000)).toBe(1);
  });
});

describe("bytes", () => {
  it("hold numbers and texts as they were written", () => {
    const anyInteger = fc.oneof(fc.nat(300), fc.integer({ min: 0, max: MAX_VARINT }));
    const anySigned = fc.oneof(fc.integer(), fc.integer({ min: -(2 ** 51), max: 2 ** 51 }));
    const anyText = fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom("\ud800", "中", "\0", "ÿ", "Ā") }));
    fc.assert(
      fc.property(fc.array(fc.tuple(anyInteger, anySigned, anyText)), (rows) => {
        const writer = new ByteWriter();
        for (const [number, signed, text] of rows) {
          writer.writeVarint(number);
          writer.writeSigned(signed);
          writeText(writer, text);
        }
        const reader = new ByteReader(writer.bytes);
        for (const row of rows) {
          expect([reader.readVarint(), reader.readSigned(), readText(reader)]).toEqual(row);
        }
        expect(reader.rest).toBe(0);
      }),
    );
  });

  it.each([
    ["nothing", []],
    ["half a number", [0x80]],
    ["a number without end", Array(20).fill(0xff)],
    ["a number that is too great", [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f]],
  ])("are damaged with %s", (_, bytes) => {
    expect(() => new ByteReader(Uint8Array.from(bytes)).readVarint()).toThrow(IndexError);
  });

  it.each([
    ["fewer bytes than units", [20, 97]],
    ["half a unit", [3, 97]],
  ])("are no text with %s", (_, bytes) => {
    expect(() => readText(new ByteReader(Uint8Array.from(bytes)))).toThrow(IndexError);
  });
});
