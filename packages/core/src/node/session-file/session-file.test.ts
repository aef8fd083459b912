import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type SessionFile, withSessionFile } from "./session-file.ts";

/** Short and long ones, one longer than what is read at a time, and none that is JSON at some places. */
const LINES = Array.from({ length: 301 }, (_, n) => {
  if (n % 50 === 49) return '{"n":';
  return JSON.stringify({ n, text: "x".repeat(n === 150 ? 200_000 : (n * 37) % 2000) });
});

describe("a line that is walked where it was read to", () => {
  let directory = "";
  let path = "";
  let other = "";
  const places: { offset: number; length: number }[] = [];
  const size = LINES.join("\n").length;

  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), "session-file-"));
    path = join(directory, "a.jsonl");
    other = join(directory, "b.jsonl");
    // The last line has no LF.
    writeFileSync(path, LINES.join("\n"));
    writeFileSync(other, `{"type":"session","version":3}\n${LINES.join("\n")}\n`);
    let offset = 0;
    for (const { length } of LINES) {
      places.push({ offset, length });
      offset += length + 1;
    }
  });

  afterAll(() => rmSync(directory, { recursive: true }));

  /** The line that is walked, `null` where there is none. */
  function walked(file: SessionFile, n: number): string | null {
    const { offset, length } = places[n] ?? { offset: 0, length: 0 };
    const line = file.scannedLine(offset, length, size);
    const start = line?.tokens[1] ?? 0;
    return line?.text(start, start + length) ?? null;
  }

  const expected = LINES.map((line) => (line.endsWith(":") ? null : line));

  it.each([
    ["one after the other", (n: number) => n],
    ["from the last to the first", (n: number) => LINES.length - 1 - n],
    ["here and there", (n: number) => (n * 77) % LINES.length],
  ])("is the same, %s", (_, order) => {
    withSessionFile(path, (file) => {
      for (let n = 0; n < LINES.length; n++) expect(walked(file, order(n))).toBe(expected[order(n)]);
    });
  });

  it("is the same where other files are read meanwhile", () => {
    withSessionFile(path, (file) => {
      withSessionFile(other, (second) => {
        for (let n = 0; n < LINES.length; n++) {
          expect(walked(file, n)).toBe(expected[n]);
          if (n % 20 === 0) second.read();
          if (n % 30 === 0) expect(second.scannedLine(0, 30, size)?.count).toBe(3);
        }
      });
    });
  });

  it("is none where the file has become shorter, or other", () => {
    withSessionFile(path, (file) => {
      expect(file.scannedLine(size - 5, 10, size)).toBeNull();
      expect(file.scannedLine(size + 5, 10, size + 20)).toBeNull();
      expect(file.scannedLine(1, places[0]?.length ?? 0, size)).toBeNull();
    });
  });

  it("is none where the scanner has no room for it", () => {
    const line = JSON.stringify({ text: "x".repeat(1 << 20) });
    writeFileSync(join(directory, "c.jsonl"), `${line}\n`);
    withSessionFile(join(directory, "c.jsonl"), (file) => {
      expect(file.scannedLine(0, line.length, line.length + 1)).toBeNull();
      expect(file.line(0, line.length, line.length + 1)).toEqual(JSON.parse(line));
    });
  });
});
