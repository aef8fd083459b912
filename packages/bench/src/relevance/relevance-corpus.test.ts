import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { sessionFiles } from "../corpus/session-files.ts";
import { datedQuery, writeRelevanceCorpus } from "./relevance-corpus.ts";
import { WRITTEN_SESSIONS } from "./sessions.ts";

const NOW = Date.parse("2026-02-20T08:00:00.000Z");
let directory: string;
let corpus: ReturnType<typeof writeRelevanceCorpus>;

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "session-manager-relevance-test-"));
  corpus = writeRelevanceCorpus(directory, NOW);
});

afterAll(() => {
  rmSync(directory, { recursive: true, force: true });
});

it("writes each session as the agent would, among many others", () => {
  expect([...corpus.paths.keys()]).toEqual(WRITTEN_SESSIONS.map(({ id }) => id));
  for (const [id, path] of corpus.paths) {
    const [header, ...entries] = readFileSync(path, "utf8")
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as { type: string; id: string; parentId?: string | null });
    expect(header).toMatchObject({ type: "session", version: 3, id });
    expect(entries.map(({ parentId }) => parentId)).toEqual([null, ...entries.slice(0, -1).map((entry) => entry.id)]);
  }
  expect(sessionFiles(corpus.agentHome).length).toBeGreaterThan(3 * corpus.paths.size);
});

it("puts everything before the given time", () => {
  for (const path of corpus.paths.values()) expect(statSync(path).mtimeMs).toBeLessThanOrEqual(NOW);
  const [newest = 0] = sessionFiles(corpus.agentHome)
    .map(({ modifiedAt }) => modifiedAt)
    .sort((a, b) => b - a);
  // A generated session that begins shortly before goes on for some hours.
  expect(newest - NOW).toBeLessThan(48 * 3600 * 1000);
});

it("puts dates into queries", () => {
  expect(datedQuery("gateway after:{50} before:{30}", NOW)).toBe("gateway after:2026-01-01 before:2026-01-21");
});
