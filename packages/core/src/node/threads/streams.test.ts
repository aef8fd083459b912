import { describe, expect, it } from "vitest";
import { Streams } from "./streams.ts";

function* count(to: number, onEnd: () => void): Generator<number> {
  try {
    for (let n = 1; n <= to; n++) yield n;
  } finally {
    onEnd();
  }
}

async function* failing(): AsyncGenerator<number> {
  yield 1;
  throw new RangeError("no more");
}

describe("streams of a thread", () => {
  it("are handed over piece by piece, beside each other", async () => {
    const streams = new Streams<number>();
    const long = streams.add(count(2, () => undefined));
    const short = streams.add(count(1, () => undefined));
    expect(await streams.next(long)).toBe(1);
    expect(await streams.next(short)).toBe(1);
    expect(await streams.next(short)).toBeNull();
    expect(streams.isEmpty).toBe(false);
    expect(await streams.next(long)).toBe(2);
    expect(await streams.next(long)).toBeNull();
    expect(streams.isEmpty).toBe(true);
  });

  it("are never taken for the end of one that another thread began", async () => {
    const streams = new Streams<number>();
    const over = streams.add(count(0, () => undefined));
    expect(await streams.next(over)).toBeNull();
    await expect(streams.next(over)).rejects.toMatchObject({ code: "UNAVAILABLE" });
    await expect(streams.next("17.1")).rejects.toMatchObject({ code: "UNAVAILABLE" });
  });

  it("let go of what they hold when they are stopped", async () => {
    const streams = new Streams<number>();
    let ended = 0;
    const stream = streams.add(count(5, () => ended++));
    await streams.next(stream);
    await streams.stop(stream);
    await streams.stop(stream);
    expect([ended, streams.isEmpty]).toEqual([1, true]);
  });

  it("end with their first error", async () => {
    const streams = new Streams<number>();
    const stream = streams.add(failing());
    expect(await streams.next(stream)).toBe(1);
    await expect(streams.next(stream)).rejects.toThrow("no more");
    expect(streams.isEmpty).toBe(true);
  });
});
