import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { isJsonObject, type JsonObject } from "@sm/core";
import fc from "fast-check";
import { expect, it } from "vitest";
import type { Found, Line, Step } from "./killed-writer.fixture.ts";
import { bundleScript, WORKER_FILE } from "./script.fixture.ts";

const SCALE = Number(process.env.SESSION_MANAGER_TEST_SCALE ?? 1);
const KILLS = Math.ceil(100 * SCALE);
/** After the beginning of a command: it takes a few milliseconds, that of a whole configuration some twenty. */
const MAX_DELAY_MS = 20;
/** Commands of one process, so that there is something to change. */
const MAX_COMMANDS = 6;

let folder: string;
const at = (...names: string[]) => join(folder, ...names);

/** What there is after a command, of which `found` tells nothing but the id of a new tag. */
function after(before: Found, { command, payload, content }: Step, found: Found): Found {
  const { tags, tagged, favorites } = before;
  const isNamed = ({ id }: { id: string }) => id === payload.id;
  const tagging = (change: (ids: string[]) => string[]) => ({
    ...before,
    tagged: Object.fromEntries(Object.entries(tagged).map(([path, ids]) => [path, change(ids).sort()])),
  });
  switch (command) {
    case "create_tag": {
      const id = found.tags.find((tag) => !tags.some((old) => old.id === tag.id))?.id ?? "";
      return { ...before, tags: [...tags, { id, ...payload } as Found["tags"][number]] };
    }
    case "update_tag":
      return { ...before, tags: tags.map((tag) => (isNamed(tag) ? { ...tag, ...payload } : tag)) };
    case "delete_tag": {
      const place = tags.find(isNamed)?.parent_id ?? null;
      const left = tags.filter((tag) => !isNamed(tag));
      return {
        ...tagging((ids) => ids.filter((id) => id !== payload.id)),
        tags: left.map((tag) => (tag.parent_id === payload.id ? { ...tag, parent_id: place } : tag)),
      };
    }
    case "assign_tag":
      return tagging((ids) => [...new Set([...ids, String(payload.tag_id)])]);
    case "remove_tag":
      return tagging((ids) => ids.filter((id) => id !== payload.tag_id));
    case "toggle_favorite": {
      const path = String(payload.path);
      const others = favorites.filter((favorite) => favorite !== path);
      return { ...before, favorites: others.length < favorites.length ? others : [path, ...favorites] };
    }
    case "save_session_paths":
      return { ...before, server: { ...before.server, session_paths: payload.paths ?? null } };
    case "save_model_config":
      return { ...before, models: payload };
    case "import_model_config_from_path":
    case "restore_model_config_backup":
      return { ...before, models: content ?? null };
    default: {
      const { server, preferences, tags, agent_settings, model_config } = content as unknown as Found & JsonObject;
      const kept = new Set(tags.map(({ id }) => id));
      const parts = { server, preferences, tags, settings: agent_settings, models: model_config };
      return { ...tagging((ids) => ids.filter((id) => kept.has(id))), ...parts } as Found;
    }
  }
}

/** Without the order of tags, which follows from their names. */
function comparable(found: Found): Found {
  return { ...found, tags: [...found.tags].sort((a, b) => (a.id < b.id ? -1 : 1)) };
}

async function readJson(path: string): Promise<JsonObject | null> {
  const text = await readFile(path, "utf8").catch(() => null);
  if (text === null) return null;
  const value: unknown = JSON.parse(text);
  if (!isJsonObject(value)) throw new Error(`${path} holds ${text}`);
  return value;
}

/** Every file is whole, whatever happened to the process that wrote it. */
async function checkFiles(): Promise<void> {
  for (const path of [at("config", "session-manager.json"), at("data", "config-change.json")]) await readJson(path);
  for (const name of ["settings.json", "models.json"]) await readJson(at("home", "agent", name));
  const backups = await readdir(at("data", "model-config-backups")).catch(() => []);
  for (const name of backups.filter((name) => name.startsWith("models-"))) {
    expect(await readJson(at("data", "model-config-backups", name))).toHaveProperty("number");
  }
}

/** As if the time had passed after which a lock counts as left behind. */
async function removeLocks(): Promise<void> {
  for (const directory of [at("config"), at("data"), at("home", "agent")]) {
    for (const name of await readdir(directory)) {
      if (name.endsWith(".lock")) await rm(join(directory, name), { recursive: true });
    }
  }
}

async function writeSessions(): Promise<void> {
  const sessions = at("home", "agent", "sessions");
  for (const directory of [sessions, at("config"), at("data"), ...["a", "b", "c"].map((name) => at("further", name))]) {
    await mkdir(directory, { recursive: true });
  }
  for (const id of ["one", "two", "three"]) {
    const header = { type: "session", version: 3, id, timestamp: "2026-01-01T00:00:00.000Z", cwd: "/p" };
    await writeFile(join(sessions, `${id}.jsonl`), `${JSON.stringify(header)}\n`);
  }
}

function isWhole(line: string): boolean {
  try {
    return isJsonObject(JSON.parse(line));
  } catch {
    return false;
  }
}

/** Reads the lines of a process one by one; `null` where it has ended, perhaps in the middle of one. */
function linesOf({ stdout }: ChildProcess): () => Promise<Line | null> {
  const lines = createInterface({ input: stdout as NodeJS.ReadableStream })[Symbol.asyncIterator]();
  return async () => {
    const { value, done } = await lines.next();
    if (done || !isWhole(value)) return null;
    const line = JSON.parse(value) as Line | { error: string };
    if ("error" in line) throw new Error(line.error);
    return line;
  };
}

it(`leaves one whole state after each of ${KILLS} kills`, { timeout: 600_000 }, async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "session-manager-killed-")));
  try {
    const script = at("writer.mjs");
    await bundleScript(join(import.meta.dirname, "killed-writer.fixture.ts"), script);
    await symlink(WORKER_FILE, at("worker.js"));
    await writeSessions();
    let expected: { before: Found; step: Step | null } | null = null;
    const outcomes = { before: 0, after: 0 };
    const commands = new Set<string>();
    const moments = fc.sample(fc.record({ last: fc.nat(MAX_COMMANDS - 1), delayMs: fc.nat(MAX_DELAY_MS) }), {
      numRuns: KILLS + 1,
      unbiased: true,
    });
    for (const [kill, { last, delayMs }] of moments.entries()) {
      const writer = spawn(process.execPath, [script, folder, `${kill * 1_000}`], {
        stdio: ["ignore", "pipe", "inherit"],
      });
      const next = linesOf(writer);
      const first = await next();
      if (first === null || !("found" in first)) throw new Error("The writer has ended by itself.");
      const { found, newest, versions } = first;
      if (expected !== null) {
        const { before, step } = expected;
        const isAfter = step !== null && isDeepStrictEqual(comparable(found), comparable(after(before, step, found)));
        if (!isAfter) expect(comparable(found), JSON.stringify(step)).toEqual(comparable(before));
        outcomes[isAfter ? "after" : "before"] += 1;
      }
      // Every tag has its place, and the newest version is what is in force.
      for (const { parent_id } of found.tags) {
        if (parent_id !== null) expect(found.tags.map(({ id }) => id)).toContain(parent_id);
      }
      expect(newest).toMatchObject({ server: found.server, tags: found.tags, model_config: found.models });
      expect(versions).toBeLessThanOrEqual(200);

      expected = { before: found, step: null };
      for (let steps = 0; ; ) {
        const line = await next();
        if (line === null) throw new Error("The writer has ended by itself.");
        if ("found" in line) expected = { before: line.found, step: null };
        else expected.step = line.step;
        if ("step" in line && steps++ === last) break;
      }
      await delay(delayMs);
      writer.kill("SIGKILL");
      // What it has printed since.
      for (let line = await next(); line !== null; line = await next()) {
        if ("found" in line) expected = { before: line.found, step: null };
        else expected.step = line.step;
      }
      if (writer.exitCode === null && writer.signalCode === null) await once(writer, "close");
      if (expected.step !== null) commands.add(expected.step.command);
      await checkFiles();
      await removeLocks();
    }
    // Kills came in the middle of commands, before and after what decides, or this test would tell nothing.
    expect(outcomes.after).toBeGreaterThan(0);
    expect(outcomes.before).toBeGreaterThan(0);
    expect(commands.size).toBeGreaterThan(5 * SCALE);
  } finally {
    await rm(folder, { recursive: true });
  }
});
