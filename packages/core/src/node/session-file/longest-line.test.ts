import { mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { SessionFile, withSessionFile } from "./session-file.ts";

const HEADER = `${JSON.stringify({ type: "session", version: 3, id: "s", timestamp: "2026-11-21T03:07:38.373Z", cwd: "/" })}\n`;
/** More than any string of V8 can hold. The file has a hole there, and takes no room on the disk. */
const LINE_BYTES = 540 * 1024 * 1024;

let directory = "";
let path = "";
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "longest-line-"));
  path = join(directory, "a.jsonl");
  writeFileSync(path, HEADER);
  truncateSync(path, HEADER.length + LINE_BYTES);
});
afterEach(() => vi.restoreAllMocks());
afterAll(() => rmSync(directory, { recursive: true }));

describe("a line that is too long for a string", () => {
  it("is never held in memory, neither while it is written nor when it is whole", async () => {
    const bytes = vi.spyOn(SessionFile.prototype, "bytes");
    const unfinished = withSessionFile(path, (file) => file.read());
    expect(unfinished.fold.state.malformed_lines).toBe(0);
    expect(unfinished.progress.bytes).toBe(HEADER.length);
    const file = await open(path, "a");
    await file.write(
      `\n${JSON.stringify({ type: "message", id: "a", parentId: null, message: { role: "user", content: "x" } })}\n`,
    );
    await file.close();
    const whole = withSessionFile(path, (session) => session.read());
    expect(whole.fold.state).toMatchObject({ malformed_lines: 1, message_count: 1 });
    expect(Math.max(...bytes.mock.calls.map(([, length]) => length))).toBeLessThan(1024 * 1024);
  }, 60_000);
});
