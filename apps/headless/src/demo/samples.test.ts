import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { writeSamples } from "./samples.ts";

const NOW = Date.UTC(2025, 5, 1, 12);

interface Line {
  type: string;
  id: string;
  parentId?: string | null;
  timestamp: string;
  cwd?: string;
  parentSession?: string;
  targetId?: string;
  message?: { role: string; content?: { type: string; name?: string }[]; details?: { diff: string } };
}

let folder: string;
let paths: string[];
let sessions: Line[][];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "session-manager-samples-"));
  paths = await writeSamples(folder, NOW);
  const texts = await Promise.all(paths.map((path) => readFile(path, "utf8")));
  sessions = texts.map((text) => {
    expect(text.endsWith("}\n")).toBe(true);
    return text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
  });
});

afterAll(() => rm(folder, { recursive: true }));

describe("writeSamples", () => {
  it("names each file as the agent does: project, time, id", () => {
    sessions.forEach(([header], index) => {
      const timestamp = header?.timestamp.replace(/[:.]/g, "-");
      const project = `--${header?.cwd?.slice(1).replaceAll("/", "-")}--`;
      expect(paths[index]).toBe(join(folder, project, `${timestamp}_${header?.id}.jsonl`));
    });
  });

  it("writes a header, then entries whose parents come before them and whose ids are their own", () => {
    for (const [header, ...entries] of sessions) {
      expect(header).toMatchObject({ type: "session", version: 3 });
      const ids = new Set<string>();
      for (const entry of entries) {
        if (ids.size > 0) expect(ids).toContain(entry.parentId);
        else expect(entry.parentId).toBeNull();
        expect(ids).not.toContain(entry.id);
        expect(entry.id).toMatch(/^[0-9a-f]{8}$/);
        if (entry.targetId !== undefined) expect(ids).toContain(entry.targetId);
        ids.add(entry.id);
      }
    }
  });

  it("lets time pass in every session and end before now", async () => {
    for (const [index, [header, ...entries]] of sessions.entries()) {
      const own = entries.filter(({ timestamp }) => timestamp >= (header?.timestamp ?? ""));
      const times = own.map(({ timestamp }) => Date.parse(timestamp));
      expect(times).toEqual(times.toSorted((a, b) => a - b));
      const end = times.at(-1) ?? 0;
      expect(end).toBeLessThan(NOW);
      expect(Math.round((await stat(paths[index] ?? "")).mtimeMs)).toBe(end);
    }
  });

  it("gives the newest session first", () => {
    const ends = sessions.map((lines) => lines.at(-1)?.timestamp);
    expect(ends).toEqual(ends.toSorted().toReversed());
  });

  it("shows what sessions can hold", () => {
    const entries = sessions.flat();
    const roles = new Set(entries.map(({ message }) => message?.role));
    const blocks = entries.flatMap(({ message }) => message?.content ?? []);
    expect(new Set(paths.map(dirname)).size).toBeGreaterThanOrEqual(6);
    expect(roles).toContain("bashExecution");
    expect(new Set(blocks.map(({ type }) => type))).toEqual(new Set(["text", "thinking", "toolCall", "image"]));
    expect(new Set(blocks.map(({ name }) => name))).toEqual(new Set([undefined, "bash", "read", "write", "edit"]));
    expect(entries.some(({ message }) => message?.details?.diff.includes("\n+"))).toBe(true);
    const types = new Set(entries.map(({ type }) => type));
    for (const type of ["compaction", "label", "session_info", "branch_summary", "model_change"]) {
      expect(types).toContain(type);
    }
  });

  it("holds a fork that shares its beginning with its parent", () => {
    const fork = sessions.findIndex(([header]) => header?.parentSession !== undefined);
    const [header, ...entries] = sessions[fork] ?? [];
    const parent = sessions[paths.indexOf(header?.parentSession ?? "")] ?? [];
    const parentEntries = new Map(parent.map((entry) => [entry.id, entry]));
    const shared = entries.filter(({ id }) => parentEntries.has(id));
    expect(shared.length).toBeGreaterThan(3);
    for (const entry of shared) expect(entry).toEqual(parentEntries.get(entry.id));
  });

  it("writes the same bytes for the same time", async () => {
    const again = await mkdtemp(join(tmpdir(), "session-manager-samples-"));
    const [first] = await writeSamples(again, NOW);
    expect(await readFile(first ?? "", "utf8")).toBe(await readFile(paths[0] ?? "", "utf8"));
    await rm(again, { recursive: true });
  });
});
