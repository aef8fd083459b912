import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { JsonText, jsonArray, jsonString } from "./json-text.ts";
import { encodeResponse } from "./response.ts";
import { StreamedJson } from "./streamed-json.ts";

const unbounded = <Result>(work: Promise<Result>) => work;

/** Items that are counted as they are taken; tells whether whoever took them has let go. */
function source(items: Iterable<unknown>) {
  const state = { taken: 0, closed: false };
  async function* take() {
    try {
      for (const item of items) {
        state.taken += 1;
        yield item;
      }
    } finally {
      state.closed = true;
    }
  }
  return { state, items: take() };
}

const long = (count: number) => Array.from({ length: count }, (_, n) => ({ n, text: "x".repeat(10_000) }));

const open = (items: AsyncIterable<unknown>) => StreamedJson.open(new JsonText(jsonArray(items)), unbounded);

const envelope = async (items: AsyncIterable<unknown>) =>
  encodeResponse({ success: true, data: await open(items), error: null }, { id: undefined, command: "scan" });

async function join(pieces: string | AsyncIterable<string | Uint8Array>): Promise<string> {
  if (typeof pieces === "string") return pieces;
  const bytes: Uint8Array[] = [];
  for await (const piece of pieces) bytes.push(Buffer.from(piece));
  return Buffer.concat(bytes).toString();
}

/** Each item on a line of its own. */
const inLines = (items: readonly unknown[]) =>
  `{"command":"scan","success":true,"data":[${items.map((item) => JSON.stringify(item)).join(",\n")}],"error":null}`;

describe("a streamed array", () => {
  it("is written item by item, each on a line", async () => {
    const anyItems = fc.array(fc.oneof(fc.jsonValue(), fc.constant("y".repeat(70_000)), fc.string({ unit: "binary" })));
    await fc.assert(
      fc.asyncProperty(anyItems, async (items) => {
        const text = await join(await envelope(source(items).items));
        expect(text).toBe(inLines(items));
        expect(JSON.parse(text)).toEqual({ command: "scan", success: true, data: items, error: null });
      }),
      { numRuns: 50 },
    );
  });

  it.each([
    ["empty", []],
    ["short", [1, 2, 3]],
  ])("that is %s is written at once", async (_case, items) => {
    expect(await envelope(source(items).items)).toBe(inLines(items));
  });

  it("can be collected", async () => {
    for (const items of [[], [1], long(100)]) {
      expect(await (await open(source(items).items)).collect()).toEqual(items);
    }
  });

  it("is read as far as it is sent", async () => {
    const { items, state } = source(long(1_000));
    const pieces = await envelope(items);
    if (typeof pieces === "string") throw new Error("It should come in pieces.");
    for (let piece = 1; piece <= 10; piece += 1) {
      await pieces.next();
      // 10,000 characters an item and 65,536 a piece.
      expect(state.taken).toBe(piece * 7);
    }
    await pieces.return();
    await new Promise(setImmediate);
    expect(state).toEqual({ taken: 70, closed: true });
  });

  it("breaks off where its items do", async () => {
    async function* failing() {
      yield* long(20);
      throw new Error("No more.");
    }
    await expect(join(await envelope(failing()))).rejects.toThrow("No more.");
  });

  it("is given up when it takes too long, and lets go of its items when they come after all", async () => {
    const { items, state } = source(long(100));
    let isLate = false;
    const within = <Result>(work: Promise<Result>) => (isLate ? Promise.reject(new Error("Too late.")) : work);
    const streamed = await StreamedJson.open(new JsonText(jsonArray(items)), within);
    const pieces = streamed.between("", "") as AsyncGenerator<string>;
    await pieces.next();
    isLate = true;
    await expect(pieces.next()).rejects.toThrow("Too late.");
    await new Promise(setImmediate);
    expect(state.closed).toBe(true);
  });
});

describe("a text that is written already", () => {
  const envelopeOf = async (text: JsonText<unknown>, onEnd?: () => void) => {
    const data = await StreamedJson.open(text, unbounded, onEnd);
    return encodeResponse({ success: true, data, error: null });
  };

  it.each([10, 65_536, 200_000])("of %d bytes is sent as it is, and known to be sent then", async (length) => {
    const value = { text: "é".repeat(length / 2) };
    let hasEnded = false;
    const bytes = new TextEncoder().encode(JSON.stringify(value));
    const pieces = await envelopeOf(new JsonText([bytes]), () => {
      hasEnded = true;
    });
    expect(hasEnded).toBe(typeof pieces === "string");
    expect(await join(pieces)).toBe(JSON.stringify({ success: true, data: value, error: null }));
    expect(hasEnded).toBe(true);
    expect(await (await StreamedJson.open(new JsonText([bytes]), unbounded)).collect()).toEqual(value);
  });

  it("is a string in pieces, wherever these are cut", async () => {
    const text = fc.string({ unit: "binary", maxLength: 50 });
    await fc.assert(
      fc.asyncProperty(fc.array(text), async (pieces) => {
        const response = await join(await envelopeOf(new JsonText(jsonString(pieces))));
        expect(JSON.parse(response)).toEqual({ success: true, data: pieces.join(""), error: null });
      }),
    );
  });
});
