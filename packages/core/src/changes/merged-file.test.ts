import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hunkOf, MergedFile } from "./merged-file.ts";
import { readDiff } from "./recorded-diff.ts";

/** Applies a merged diff to a file all of whose lines are different, so that each hunk has one place. */
function applied(file: readonly string[], diff: string): string[] {
  const lines = [...file];
  for (const { before, after } of readDiff(diff).flatMap(({ hunks }) => hunks)) {
    const at = before.length === 0 ? 0 : lines.indexOf(before[0] as string);
    expect(lines.slice(at, at + before.length)).toEqual(before);
    lines.splice(at, before.length, ...after);
  }
  return lines;
}

interface Change {
  at: number;
  length: number;
  lines: number;
}

const change = fc.record({ at: fc.nat(99), length: fc.nat(4), lines: fc.nat(4) });

/** Does changes one after the other, and tells the file of each with the lines around it. */
function changed(
  base: readonly string[],
  changes: readonly Change[],
  tell: (before: string[], after: string[]) => void,
) {
  let file = [...base];
  for (const [number, { at, length, lines }] of changes.entries()) {
    const start = Math.min(at, file.length);
    const end = Math.min(start + length, file.length);
    const fresh = Array.from({ length: lines }, (_, line) => `change ${number}, line ${line}`);
    const [lead, tail] = [file.slice(Math.max(0, start - 3), start), file.slice(end, end + 3)];
    tell([...lead, ...file.slice(start, end), ...tail], [...lead, ...fresh, ...tail]);
    file = [...file.slice(0, start), ...fresh, ...file.slice(end)];
  }
  return file;
}

const BASE = Array.from({ length: 100 }, (_, line) => `line number ${line} of the file`);

describe("the changes of a file", () => {
  it("come to one diff that turns its first state into its last", () => {
    fc.assert(
      fc.property(fc.array(change, { maxLength: 30 }), (changes) => {
        const merged = new MergedFile();
        const last = changed(BASE, changes, (before, after) => merged.change(hunkOf(before, after)));
        expect(applied(BASE, merged.diff().text)).toEqual(last);
      }),
    );
  });

  it("of a file that the session has written come to what it wrote last", () => {
    fc.assert(
      fc.property(fc.array(change, { maxLength: 30 }), (changes) => {
        const merged = new MergedFile();
        merged.write(`${BASE.join("\n")}\n`);
        const last = changed(BASE, changes, (before, after) => {
          const edit = { before: before.join("\n"), after: after.join("\n") };
          if (edit.before !== "" && edit.before !== edit.after) merged.edit([edit], []);
          else merged.change(hunkOf(before, after));
        });
        expect(merged.diff()).toMatchObject({ added: last.length, removed: 0 });
        expect(applied([], merged.diff().text)).toEqual(last);
      }),
    );
  });

  it.each<[string, (merged: MergedFile) => void, string]>([
    ["nothing", () => undefined, ""],
    [
      "a part of a line",
      (merged) => merged.edit([{ before: "left(", after: "right(" }], []),
      "@@ -1,1 +1,1 @@\n-left(\n+right(\n",
    ],
    [
      "a text that it wrote itself",
      (merged) => {
        merged.write("one\ntwo\nthree\n");
        merged.edit([{ before: "wo\nth", after: "wo and th" }], []);
      },
      "@@ -0,0 +1,2 @@\n+one\n+two and three\n",
    ],
    [
      "a text at all its places",
      (merged) => {
        merged.write("a\nb\na\n");
        merged.edit([{ before: "a", after: "$&" }], [], true);
      },
      "@@ -0,0 +1,3 @@\n+$&\n+b\n+$&\n",
    ],
    [
      "what is taken back",
      (merged) => {
        merged.edit([{ before: "const limit = 5;", after: "const limit = 7;" }], []);
        merged.edit([{ before: "limit = 7", after: "limit = 5" }], []);
      },
      "",
    ],
    [
      "lines of a file that it wrote, however short they are",
      (merged) => {
        merged.write("{\n}\n");
        merged.change(hunkOf(["}"], ["", "}"]));
      },
      "@@ -0,0 +1,3 @@\n+{\n+\n+}\n",
    ],
    [
      "recorded lines, in the order of the file",
      (merged) => {
        merged.change({ ...hunkOf(["the fortieth"], ["the 40th"]), line: 40 });
        merged.change({ ...hunkOf(["the fourth"], []), line: 4 });
      },
      "@@ -4,1 +0,0 @@\n-the fourth\n@@ -40,1 +40,1 @@\n-the fortieth\n+the 40th\n",
    ],
    [
      "a file that is removed again",
      (merged) => {
        merged.write("one\n");
        merged.delete(null);
      },
      "",
    ],
    ["a file that is removed", (merged) => merged.delete("one\ntwo\n"), "@@ -1,2 +0,0 @@\n-one\n-two\n"],
  ])("of %s", (_what, change, expected) => {
    const merged = new MergedFile();
    change(merged);
    expect(merged.diff().text).toBe(expected);
  });

  it("are cut after a whole hunk, and counted whole", () => {
    const merged = new MergedFile();
    for (const line of [1, 50]) merged.change({ ...hunkOf([`before ${line} it`], [`after ${line} it`]), line });
    const whole = merged.diff();
    const cut = merged.diff(whole.text.length - 1);
    expect(cut).toMatchObject({ added: 2, removed: 2, isCut: true });
    expect(whole.text.startsWith(cut.text)).toBe(true);
    expect(readDiff(cut.text)[0]?.hunks).toHaveLength(1);
  });
});

describe("the work for a file is bounded", () => {
  const equal = (length: number) => Array.from({ length }, () => "a");

  it("where a text is replaced everywhere, again and again", () => {
    const merged = new MergedFile();
    merged.write("ab");
    for (let n = 0; n < 40; n++) merged.edit([{ before: "a", after: "aa" }], [], true);
    const { text, isCut } = merged.diff(1_000);
    expect([text, isCut]).toEqual(["", true]);
    expect(merged.bytes).toBeLessThan(50_000_000);
  });

  it("where all lines are equal", () => {
    const merged = new MergedFile();
    merged.change(hunkOf([], equal(1_000_000)));
    for (let n = 0; n < 20; n++) merged.change(hunkOf([...equal(2_000), "b"], [`c${n}`]));
    expect(merged.diff(0).added).toBeGreaterThanOrEqual(1_000_000);
  });

  it("where a line is very long", () => {
    const merged = new MergedFile();
    merged.write(`${"x".repeat(4_000_000)}a`);
    for (let n = 0; n < 10_000; n++) merged.edit([{ before: "a", after: "a" }], []);
    expect(merged.diff(0).added).toBeGreaterThanOrEqual(1);
  });

  it("where many places differ in hundreds of lines", () => {
    const merged = new MergedFile();
    const lines = (name: string) =>
      Array.from({ length: 900 }, (_, n) => (n % 300 === 0 ? `all ${n}` : `${name} ${n}`));
    for (let n = 0; n < 200; n++) merged.change(hunkOf(lines(`before ${n}`), lines(`after ${n}`)));
    expect(merged.diff(0).added).toBeGreaterThanOrEqual(200 * 800);
  });
});

it("a new file of any length begins at no line of the one before", () => {
  const merged = new MergedFile();
  merged.write("line\n".repeat(1_500));
  expect(merged.diff().text).toMatch(/^@@ -0,0 \+1,1500 @@\n/);
});
