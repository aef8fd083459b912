import { Terminal } from "@xterm/headless";
import fc from "fast-check";
import { expect, it } from "vitest";
import { OutputBatcher } from "./batcher.ts";
import { OutputRecorder } from "./recorder.ts";

const MEBIBYTE = 1024 * 1024;

function recorded(outputs: Iterable<string>): OutputRecorder {
  const recorder = new OutputRecorder(80, 24);
  for (const output of outputs) recorder.record(output, "text");
  return recorder;
}

/** Lines of 16 characters with their number. */
function* lines(count: number): Generator<string> {
  for (let number = 0; number < count; number++) yield `${String(number).padStart(14, "0")}\r\n`;
}

it("has everything, and what came after each output", () => {
  const recorder = recorded(["a", "bc", "", "d"]);
  expect(recorder.seq).toBe(4);
  expect(recorder.replay(null).data).toBe("abcd");
  expect([0, 1, 2, 3, 4].map((seq) => recorder.replay(seq).data)).toEqual(["abcd", "bcd", "d", "d", ""]);
});

it("has nothing before the first output", () => {
  const recorder = new OutputRecorder(80, 24);
  expect([recorder.seq, recorder.replay(null).data, recorder.replay(0).data]).toEqual([0, "", ""]);
});

it("keeps the last mebibyte at least, and little more", () => {
  const all = [...lines(200_000)];
  const recorder = recorded(all);
  const replay = recorder.replay(null).data;
  expect(all.join("").endsWith(replay)).toBe(true);
  expect(replay.length).toBeGreaterThanOrEqual(MEBIBYTE);
  expect(replay.length).toBeLessThan(MEBIBYTE + 256 * 1024);
  for (const seq of [199_999, 150_000, 135_000]) expect(recorder.replay(seq).data).toBe(all.slice(seq).join(""));
});

it("counts bytes, and takes outputs of any size", () => {
  const recorder = new OutputRecorder(80, 24);
  const all = Array.from({ length: 12 }, (_, index) => "漢".repeat(index % 3 === 0 ? 1 : 70_000));
  for (const output of all) recorder.record(output, "text");
  const replay = recorder.replay(null).data;
  expect(all.join("").endsWith(replay)).toBe(true);
  expect(Buffer.byteLength(replay)).toBeGreaterThanOrEqual(MEBIBYTE);
  expect(Buffer.byteLength(replay)).toBeLessThan(MEBIBYTE + 256 * 1024);
});

it("keeps each output apart, however their sizes differ", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 400_000 }), { minLength: 8, maxLength: 30 }), (sizes) => {
      const all = sizes.map((size, index) => String.fromCharCode(97 + (index % 26)).repeat(size));
      const recorder = recorded(all);
      expect(all.join("").endsWith(recorder.replay(null).data)).toBe(true);
      expect(recorder.replay(sizes.length - 1).data).toBe(all.at(-1));
    }),
    { numRuns: 30 },
  );
});

it("clears the terminal of who asks for what is gone, or never was", () => {
  const recorder = recorded(lines(200_000));
  const everything = recorder.replay(null).data;
  for (const seq of [0, 1_000, 200_001]) expect(recorder.replay(seq).data).toBe(`\x1bc${everything}`);
});

it("brings a new terminal into the modes that were set in what is gone", () => {
  const modes = "\x1b[?1049h\x1b[?25l\x1b[?2004h";
  const recorder = recorded([modes, ...lines(100_000), "\x1b[?25h"]);
  const replay = recorder.replay(null).data;
  expect(replay.startsWith(modes)).toBe(true);
  expect(replay.slice(modes.length)).toMatch(/^\d{14}\r\n/);
  expect(recorder.replay(0).data).toBe(`\x1bc${replay}`);
});

it("knows for which size each output was written", () => {
  const recorder = new OutputRecorder(80, 24);
  expect(recorder.replay(null).sizes).toEqual([[0, 80, 24]]);
  recorder.resize(90, 25);
  recorder.record("wölf", "text");
  recorder.resize(100, 30);
  recorder.resize(110, 30);
  recorder.record("😀", "text");
  recorder.record("four", "text");
  recorder.resize(120, 30);
  recorder.resize(110, 30);
  recorder.record("five", "text");
  recorder.resize(130, 40);
  const sizes = [
    [0, 90, 25],
    [4, 110, 30],
    [14, 130, 40],
  ];
  expect(recorder.replay(null)).toEqual({ data: "wölf😀fourfive", sizes });
  expect(recorder.replay(9)).toEqual({
    data: "\x1bcwölf😀fourfive",
    sizes: sizes.map(([offset = 0, ...size]) => [offset === 0 ? 0 : offset + 2, ...size]),
  });
  expect(recorder.replay(2)).toEqual({
    data: "fourfive",
    sizes: [
      [0, 110, 30],
      [8, 130, 40],
    ],
  });
  expect(recorder.replay(4)).toEqual({ data: "", sizes: [[0, 130, 40]] });
});

it("forgets the sizes of what is gone, and of a size within a sequence that is cut", () => {
  const recorder = new OutputRecorder(1, 1);
  const kept: string[] = [];
  for (const line of lines(200_000)) {
    if (kept.length % 50_000 === 0) recorder.resize(kept.length / 50_000 + 1, 1);
    kept.push(line);
    recorder.record(line, "text");
  }
  const { data, sizes } = recorder.replay(null);
  expect(sizes.map(([, cols]) => cols)).toEqual([3, 4]);
  expect(data.slice(sizes[1]?.[0])).toBe(kept.slice(150_000).join(""));

  const cut = new OutputRecorder(1, 1);
  cut.record("x".repeat(1024 * 1024), "text");
  cut.record(`secret${"y".repeat(500_000)}`, "dcs string");
  cut.resize(2, 1);
  cut.record(`\x1b\\${"z".repeat(600_000)}`, "dcs string");
  cut.resize(3, 1);
  expect(cut.replay(null)).toEqual({
    data: "z".repeat(600_000),
    sizes: [
      [0, 2, 1],
      [600_000, 3, 1],
    ],
  });
});

it("keeps a bounded number of sizes, the last ones among them", () => {
  const recorder = new OutputRecorder(1, 1);
  for (let cols = 2; cols <= 5_000; cols++) {
    recorder.record("x", "text");
    recorder.resize((cols % 1_000) + 1, cols);
  }
  const { sizes } = recorder.replay(null);
  expect(sizes).toHaveLength(1_000);
  expect([sizes[0], sizes[1], sizes.at(-1)]).toEqual([
    [0, 1, 1],
    [4_001, 3, 4_002],
    [4_999, 1, 5_000],
  ]);
});

it("never shows a part of a sequence, wherever it begins", async () => {
  // Everything that is text is a digit; no sequence ends with one.
  const text = fc.nat({ max: 60_000 }).map((length) => "0123456789".repeat(length / 10));
  const long = fc.nat({ max: 300_000 }).map((length) => `\x1bP+q${"secret".repeat(length / 6)}\x1b\\`);
  const short = fc.constantFrom("\x1b[31m", "\x1b]0;secret\x07", "\x1b(B", "\x1b]8;;secret\x1b\\", "\x1b[38;5;99m");
  const property = fc.asyncProperty(
    fc.array(fc.oneof(text, long, short), { minLength: 30, maxLength: 60 }),
    fc.integer({ min: 1, max: 70_000 }),
    async (parts, read) => {
      const output = parts.join("");
      const recorder = new OutputRecorder(80, 24);
      const batcher = new OutputBatcher((data, state) => recorder.record(data, state));
      for (let at = 0; at < output.length; at += read) batcher.write(output.slice(at, at + read));
      batcher.end();
      expect(output.endsWith(recorder.replay(null).data)).toBe(true);
      expect(await shown(recorder.replay(null).data)).toMatch(/^[\d\n]*$/);
    },
  );
  await fc.assert(property, { numRuns: 8 });
});

async function shown(replay: string): Promise<string> {
  const terminal = new Terminal({ cols: 100, rows: 50, scrollback: 50_000, allowProposedApi: true, logLevel: "off" });
  try {
    await new Promise<void>((resolve) => terminal.write(replay, resolve));
    const buffer = terminal.buffer.active;
    const shownLines = Array.from({ length: buffer.length }, (_, line) =>
      buffer.getLine(line)?.translateToString(true),
    );
    return shownLines.join("\n");
  } finally {
    terminal.dispose();
  }
}
