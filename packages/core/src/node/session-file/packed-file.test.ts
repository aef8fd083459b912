import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SessionText } from "../library/library.fixture.ts";
import { bytesOf } from "../reading/read-ahead.ts";
import { packed, packedSpaces } from "./packed.fixture.ts";
import { withSessionFile } from "./session-file.ts";
import { work } from "./work.ts";

const session = new SessionText()
  .user("Where is it?")
  .assistant(`There. ${"é".repeat(300_000)}`)
  .user("Thanks.");
const TEXT = `${session.lines.map((line) => JSON.stringify(line)).join("\n")}\n`;

let directory = "";
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "session-manager-packed-"));
});
afterAll(() => rmSync(directory, { recursive: true }));

function file(name: string, bytes: string | Uint8Array): string {
  const path = join(directory, name);
  writeFileSync(path, bytes);
  return path;
}

function recordOf(path: string): object {
  return withSessionFile(path, (one) => {
    const { fold, progress } = one.read();
    return { record: fold.record({ path: "/a.jsonl", size: 0, modifiedAt: 0 }), progress };
  });
}

async function textOf(path: string, range: { offset?: number; length?: number } = {}): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of bytesOf({ path, isAllowed: () => true, ...range })) pieces.push(Buffer.from(piece));
  return Buffer.concat(pieces).toString();
}

describe("a compressed session", () => {
  it("is read like the plain one", () => {
    const plain = recordOf(file("a.jsonl", TEXT));
    expect(recordOf(file("a.jsonl.zst", packed(TEXT)))).toEqual(plain);
  });

  it("has its lines where the plain one has them", () => {
    const [path, plain] = [file("lines.jsonl.zst", packed(TEXT)), file("lines.jsonl", TEXT)];
    const offset = TEXT.indexOf("\n") + 1;
    const bytes = (one: string) => withSessionFile(one, (open) => open.bytes(offset, 100).toString());
    expect(bytes(path)).toBe(bytes(plain));
    expect(withSessionFile(path, (open) => open.bytes(10_000_000, 10).length)).toBe(0);
  });

  it("is unpacked once for several uses, and again when it has changed", () => {
    const path = file("kept.jsonl.zst", packed(TEXT));
    recordOf(path);
    const before = work.bytesRead;
    recordOf(path);
    recordOf(path);
    expect(work.bytesRead).toBe(before);
    writeFileSync(path, packed(`${TEXT}{"type":"custom","id":"x","parentId":null}\n`));
    recordOf(path);
    expect(work.bytesRead).toBeGreaterThan(before);
  });

  it.each([
    ["whole", {}],
    ["from an offset", { offset: 150_000 }],
    ["a range", { offset: 10, length: 200_000 }],
    ["nothing behind its end", { offset: 10_000_000 }],
  ])("is sent as its text: %s", async (_, range: { offset?: number; length?: number }) => {
    const { offset = 0, length = Infinity } = range;
    const expected = Buffer.from(TEXT)
      .subarray(offset, offset + length)
      .toString();
    expect(await textOf(file("sent.jsonl.zst", packed(TEXT)), range)).toBe(expected);
  });

  it.each([
    ["no zstd", Buffer.from(TEXT)],
    ["cut short", packed(TEXT).subarray(0, 200_000)],
    ["as small as it is, too large", packedSpaces(2_049)],
  ])("cannot be read where it is %s", async (_, bytes) => {
    const path = file("bad.jsonl.zst", bytes);
    expect(() => recordOf(path)).toThrow(expect.objectContaining({ code: "EIO" }));
    await expect(textOf(path)).rejects.toMatchObject({ code: "EIO" });
  });
});
