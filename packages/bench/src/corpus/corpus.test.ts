import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { type CorpusManifest, generateCorpus, openCorpus } from "./corpus.ts";
import { DECOY_PLACES, type Decoy } from "./decoy.ts";
import { type Entry, searchableTexts } from "./entry.ts";
import { NEEDLE_FORMS, NEEDLE_PLACES, type Needle } from "./needle.ts";
import { DEFAULT_PARAMETERS } from "./plan.ts";

const PARAMETERS = { ...DEFAULT_PARAMETERS, seed: 7, sessions: 340, bytes: 12_000_000, projects: 6 };
const SESSIONS = join("home", "agent", "sessions");

interface Header {
  type: string;
  version: number;
  id: string;
  timestamp: string;
  cwd: string;
}

let scratch: string;
let directory: string;
let manifest: CorpusManifest;
let needles: Needle[];
let decoys: Decoy[];
let sessions: { path: string; header: Header; entries: Entry[] }[];

function filesBelow(root: string): string[] {
  return readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".jsonl"))
    .sort()
    .map((name) => join(root, name));
}

/** One digest of all names and bytes. */
function digest(root: string): string {
  const hash = createHash("sha256").update(readFileSync(join(root, "needles.json")));
  for (const path of filesBelow(join(root, SESSIONS))) hash.update(path.slice(root.length)).update(readFileSync(path));
  return hash.digest("hex");
}

beforeAll(() => {
  scratch = mkdtempSync(join(tmpdir(), "session-manager-corpus-test-"));
  directory = join(scratch, "corpus");
  generateCorpus(directory, PARAMETERS);
  manifest = JSON.parse(readFileSync(join(directory, "manifest.json"), "utf8")) as CorpusManifest;
  needles = JSON.parse(readFileSync(join(directory, "needles.json"), "utf8")) as Needle[];
  decoys = JSON.parse(readFileSync(join(directory, "decoys.json"), "utf8")) as Decoy[];
  sessions = filesBelow(join(directory, SESSIONS)).map((path) => {
    const text = readFileSync(path, "utf8");
    expect(text.endsWith("\n")).toBe(true);
    const [header, ...entries] = text
      .slice(0, -1)
      .split("\n")
      .map((line) => JSON.parse(line) as unknown);
    return { path, header: header as Header, entries: entries as Entry[] };
  });
});

afterAll(() => {
  rmSync(scratch, { recursive: true, force: true });
});

describe("generateCorpus", () => {
  it("writes the same bytes for the same seed, and others for another", () => {
    const again = join(scratch, "again");
    generateCorpus(again, PARAMETERS);
    expect(digest(again)).toBe(digest(directory));
    const other = join(scratch, "other");
    generateCorpus(other, { ...PARAMETERS, seed: 8 });
    expect(digest(other)).not.toBe(digest(directory));
  });

  it("has the number and the sizes of sessions that were asked for", () => {
    const sizes = sessions.map(({ path }) => statSync(path).size).sort((a, b) => b - a);
    expect(sizes).toHaveLength(PARAMETERS.sessions);
    const total = sizes.reduce((sum, size) => sum + size, 0);
    expect(manifest.bytes).toBe(total);
    expect(Math.abs(total / PARAMETERS.bytes - 1)).toBeLessThan(0.1);
    expect(Math.abs((sizes[0] ?? 0) / (0.08 * PARAMETERS.bytes) - 1)).toBeLessThan(0.05);
  });

  it("lays files out as the agent does, with the time of the newest entry", () => {
    for (const { path, header, entries } of sessions) {
      const [file = "", folder = ""] = path.split("/").reverse();
      expect(header).toMatchObject({ type: "session", version: 3 });
      expect(folder).toBe(`--${header.cwd.slice(1).replaceAll("/", "-")}--`);
      expect(file).toBe(`${header.timestamp.replaceAll(/[:.]/g, "-")}_${header.id}.jsonl`);
      expect(statSync(path).mtime.toISOString()).toBe(entries.at(-1)?.timestamp);
    }
    expect(new Set(sessions.map(({ header }) => header.cwd)).size).toBe(PARAMETERS.projects);
  });

  it("names as parent, target and start only entries that came before, and every id once", () => {
    for (const { entries } of sessions) {
      const seen = new Set<string | null>([null]);
      let previous = "";
      for (const [index, entry] of entries.entries()) {
        expect(seen.has(entry.id)).toBe(false);
        expect(entry.parentId === null).toBe(index === 0);
        expect(seen.has(entry.parentId)).toBe(true);
        if (entry.type === "label") expect(seen.has(entry.targetId)).toBe(true);
        if (entry.type === "branch_summary") expect(seen.has(entry.fromId)).toBe(true);
        if (entry.type === "compaction") expect(seen.has(entry.firstKeptEntryId)).toBe(true);
        expect(entry.timestamp >= previous).toBe(true);
        previous = entry.timestamp;
        seen.add(entry.id);
      }
    }
  });

  it("answers every tool call", () => {
    const ids = (role: "assistant" | "toolResult"): string[] =>
      sessions.flatMap(({ entries }) =>
        entries.flatMap((entry) => {
          if (entry.type !== "message" || entry.message.role !== role) return [];
          if (entry.message.role === "toolResult") return [entry.message.toolCallId];
          return entry.message.content.flatMap((block) => (block.type === "toolCall" ? [block.id] : []));
        }),
      );
    const calls = ids("assistant");
    expect(calls.length).toBeGreaterThan(1_000);
    expect(ids("toolResult")).toEqual(calls);
  });

  it("counts entries and the text that a search has to cover", () => {
    const entries = sessions.flatMap((session) => session.entries);
    expect(manifest.entries).toBe(entries.length);
    const texts = entries.flatMap(searchableTexts);
    expect(manifest.textBytes).toBe(texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0));
  });

  it("has branches, images, compactions, names and some sessions in CJK languages", () => {
    const branched = sessions.filter(({ entries }) => {
      const parents = entries.map((entry) => entry.parentId);
      return new Set(parents).size < parents.length;
    });
    expect(branched.length).toBeGreaterThan(5);
    const lines = sessions.flatMap(({ entries }) => entries.map((entry) => JSON.stringify(entry)));
    expect(lines.some((line) => line.includes('"type":"image"'))).toBe(true);
    const types = new Set(sessions.flatMap(({ entries }) => entries.map((entry) => entry.type)));
    expect([...types]).toEqual(expect.arrayContaining(["compaction", "session_info", "label", "custom_message"]));
    const cjk = sessions.filter(({ entries }) => {
      const text = entries.flatMap(searchableTexts).join("");
      return (text.match(/[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}]/gu)?.length ?? 0) > 100;
    });
    expect(cjk.length).toBeGreaterThan(PARAMETERS.sessions * 0.02);
    expect(cjk.length).toBeLessThan(PARAMETERS.sessions * 0.1);
  });

  it("has every needle where the manifest says, and nowhere else", () => {
    const holders = new Map<string, string[]>(needles.map(({ text }) => [text, []]));
    for (const { path, entries } of sessions) {
      for (const entry of entries) {
        const text = searchableTexts(entry).join("\n");
        for (const [needle, places] of holders) if (text.includes(needle)) places.push(`${path}#${entry.id}`);
      }
    }
    for (const needle of needles) {
      expect(holders.get(needle.text), needle.text).toEqual([
        `${join(directory, "home", needle.path)}#${needle.entryId}`,
      ]);
    }
  });

  it("has every decoy once, where no search has to look", () => {
    const lines = sessions.map(({ path }) => readFileSync(path, "utf8"));
    expect(new Set(decoys.map(({ place }) => place))).toEqual(new Set(DECOY_PLACES));
    for (const { place, text } of decoys) {
      expect(lines.filter((line) => line.includes(text))).toHaveLength(1);
      const covered = sessions
        .flatMap(({ entries }) => entries.flatMap(searchableTexts))
        .filter((covers) => covers.includes(text));
      // In an output it is part of what is covered, in a run that is no text.
      expect(covered.length).toBe(place === "payload_in_output" ? 1 : 0);
    }
  });

  it("hides needles of every form in every kind of place", () => {
    const pairs = new Set(needles.map(({ place, form }) => `${place} ${form}`));
    expect(pairs.size).toBe(NEEDLE_PLACES.length * NEEDLE_FORMS.length);
  });
});

it("has one session and one line as large as was asked for", () => {
  const at = join(scratch, "large");
  const shape = { sessions: 12, bytes: 40_000_000, largestShare: 0.5, longestLineShare: 0.15 };
  generateCorpus(at, { ...DEFAULT_PARAMETERS, ...shape });
  const files = filesBelow(join(at, SESSIONS));
  const largest = Math.max(...files.map((path) => statSync(path).size));
  expect(Math.abs(largest / 20_000_000 - 1)).toBeLessThan(0.02);
  const total = files.reduce((sum, path) => sum + statSync(path).size, 0);
  expect(Math.abs(total / shape.bytes - 1)).toBeLessThan(0.1);
  const lines = files.flatMap((path) => readFileSync(path, "utf8").trimEnd().split("\n"));
  expect(lines.filter((line) => !("type" in JSON.parse(line)))).toEqual([]);
  const lengths = lines.map(({ length }) => length);
  const [longest = 0, next = 0] = lengths.sort((a, b) => b - a);
  expect(Math.abs(longest / 6_000_000 - 1)).toBeLessThan(0.1);
  expect(next).toBeLessThan(300_000);
});

describe("openCorpus", () => {
  const tiny = { ...DEFAULT_PARAMETERS, sessions: 4, bytes: 40_000, projects: 2 };

  afterEach(() => {
    vi.unstubAllEnvs();
  });

  it("generates once and takes what is complete, but nothing half written", () => {
    vi.stubEnv("TMPDIR", scratch);
    const first = openCorpus(tiny);
    expect(first.generatedIn).not.toBeNull();
    expect(openCorpus(tiny)).toEqual({ ...first, generatedIn: null });

    const half = join(first.agentHome, "..", "manifest.json");
    const stray = join(first.agentHome, "stray.jsonl");
    rmSync(half);
    writeFileSync(stray, "{");
    expect(openCorpus(tiny).generatedIn).not.toBeNull();
    expect(readdirSync(first.agentHome)).toEqual(["agent"]);
  });
});
