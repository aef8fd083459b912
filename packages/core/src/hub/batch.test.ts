import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type BytesFrame, decodeBatch, encodeBatch, type Frame, isLater, type SessionChange } from "./batch.ts";

const MACHINE = { id: "4f2a91c0-0000-4000-8000-000000000000", name: "laptop" };
const CHANGE: SessionChange = {
  path: "/a.jsonl",
  session_id: "a",
  kind: "note",
  key: "",
  value: "text",
  at: "2026-01-02T03:04:05.678Z",
};
const BYTES: BytesFrame = {
  kind: "bytes",
  path: "/a.jsonl",
  owner_path: null,
  format: "pi",
  session_id: "a",
  mode: 0o600,
  modified_at: 1_772_359_200_000.25,
  generation: "00000000-0000-4000-8000-00000000000a",
  offset: 1,
  size: 4,
};

describe("a batch", () => {
  const path = fc.string({ unit: "grapheme", maxLength: 50 });
  const frame = fc.oneof(
    fc
      .record({ path, owner_path: fc.option(path), offset: fc.maxSafeNat(), size: fc.maxSafeNat() })
      .map((fields): Frame => ({ ...BYTES, ...fields })),
    fc
      .array(fc.record({ path, key: path, value: fc.option(path) }), { maxLength: 5 })
      .map((all): Frame => ({ kind: "changes", changes: all.map((fields) => ({ ...CHANGE, ...fields })) })),
    fc.array(fc.uuid(), { maxLength: 5 }).map((generations): Frame => ({ kind: "known", generations })),
  );

  it("is read as it was written", () => {
    fc.assert(
      fc.property(fc.array(fc.record({ frame, bytes: fc.uint8Array({ maxLength: 200 }) })), (frames) => {
        const read = decodeBatch(encodeBatch(MACHINE, frames));
        expect(read.machine).toEqual(MACHINE);
        expect(read.frames.map((one) => one.frame)).toEqual(frames.map((one) => one.frame));
        expect(read.frames.map(({ bytes }) => [...bytes])).toEqual(frames.map(({ bytes }) => [...bytes]));
      }),
    );
  });

  it("that is cut off, or none at all, is refused", () => {
    const whole = encodeBatch(MACHINE, [{ frame: BYTES, bytes: new Uint8Array(3) }]);
    const machineEnd = encodeBatch(MACHINE, []).length;
    for (let end = 0; end < whole.length; end++) {
      // With the machine alone it is a batch without frames.
      if (end === machineEnd) continue;
      expect(() => decodeBatch(whole.subarray(0, end))).toThrowError(/This is no batch/);
    }
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
        expect(() => decodeBatch(bytes)).toThrowError(/This is no batch/);
      }),
    );
  });

  it.each<[string, object]>([
    ["an unknown kind", { kind: "other" }],
    ["a negative place", { ...BYTES, offset: -1 }],
    ["a place that is no whole number", { ...BYTES, size: 1.5 }],
    ["a state without an id", { ...BYTES, generation: "A" }],
    ["a long path", { ...BYTES, path: "x".repeat(5_000) }],
    ["too many questions", { kind: "known", generations: new Array(1_001).fill(BYTES.generation) }],
    ["a change without a time", { kind: "changes", changes: [{ ...CHANGE, at: "yesterday" }] }],
    ["an unknown change", { kind: "changes", changes: [{ ...CHANGE, kind: "format" }] }],
  ])("with %s is refused", (_what, frame) => {
    // What others may send.
    const batch = encodeBatch(MACHINE, [{ frame: frame as Frame, bytes: new Uint8Array() }]);
    expect(() => decodeBatch(batch)).toThrowError(/This is no batch/);
  });
});

describe("isLater", () => {
  it("is true for exactly one of two that differ", () => {
    const said = fc.record({ at: fc.constantFrom("2026-01-01", "2026-01-02"), machine: fc.constantFrom("", "a", "b") });
    fc.assert(
      fc.property(said, said, (one, other) => {
        const isSame = one.at === other.at && one.machine === other.machine;
        expect(Number(isLater(one, other)) + Number(isLater(other, one))).toBe(isSame ? 0 : 1);
      }),
    );
  });
});
