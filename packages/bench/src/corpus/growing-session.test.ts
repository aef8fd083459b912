import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { GrowingSession } from "./growing-session.ts";

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "session-manager-growing-test-"));
});

afterEach(() => {
  rmSync(directory, { recursive: true, force: true });
});

it("has the size that was asked for, and grows by whole lines of one conversation", () => {
  const session = new GrowingSession(directory, "a", 100_000);
  const written = statSync(session.path).size;
  expect(written).toBeGreaterThanOrEqual(100_000);
  expect(written).toBeLessThan(110_000);
  session.append("Go on.");
  const [header, ...entries] = readFileSync(session.path, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as { type: string; id: string; parentId?: string; message?: { content: string } });
  expect(header).toMatchObject({ type: "session", version: 3, id: "a" });
  expect(entries).toHaveLength(session.messages);
  expect(entries.at(-1)).toMatchObject({ parentId: entries.at(-2)?.id, message: { content: "Go on." } });
});

it("begins with the header alone where nothing was asked for", () => {
  const session = new GrowingSession(directory, "b", 0);
  expect(session.messages).toBe(0);
  session.append("First.");
  expect(JSON.parse(readFileSync(session.path, "utf8").trimEnd().split("\n")[1] ?? "")).toMatchObject({
    parentId: null,
  });
});
