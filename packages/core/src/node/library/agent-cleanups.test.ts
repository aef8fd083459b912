import { mkdir, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import type { CleanedDirectory } from "../../session/expiry.ts";
import { AgentCleanups } from "./agent-cleanups.ts";
import { jsonl, SessionText, scanAll, TestHome, untilIndexed } from "./library.fixture.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

const said = () => new SessionText().message({ role: "user", content: "otter" }).lines;

const cleanupOf = (home: string) => ({
  directory: join(home, "projects"),
  settings: join(home, "settings.json"),
  setting: "cleanupPeriodDays",
  defaultDays: 30,
});

describe("the setting of an agent", () => {
  it.each<[string, string | null, number]>([
    ["is the default without settings", null, 30],
    ["is the default where they do not name it", `{"model": "opus"}`, 30],
    ["is what they say", `\ufeff{"cleanupPeriodDays": 99}`, 99],
    ["may be zero", `{"cleanupPeriodDays": 0}`, 0],
    ["is the default where it is no number", `{"cleanupPeriodDays": "never"}`, 30],
    ["is the default where it is below zero", `{"cleanupPeriodDays": -1}`, 30],
    ["is the default where they are no JSON", "{", 30],
    ["is the default where they are no object", "[7]", 30],
    ["is the default where they are nested deeper than anybody reads", "[".repeat(100_000), 30],
    ["is the default where they are too large", `{"cleanupPeriodDays": 7, "a": "${"a".repeat(1024 * 1024)}"}`, 30],
  ])("%s", async (_, text, days) => {
    await using home = await TestHome.create();
    const cleanup = cleanupOf(home.directory);
    if (text !== null) await writeFile(cleanup.settings, text);
    const told: CleanedDirectory[][] = [];
    const cleanups = new AgentCleanups(
      [cleanup],
      async (directory) => `${directory}/`,
      (one) => told.push(one),
    );
    // A list waits for a slow disk only so long.
    await vi.waitFor(async () => {
      await cleanups.current();
      expect(told).toEqual([[{ prefix: `${cleanup.directory}/`, days }]]);
    });
    await cleanups.current();
    expect(told).toHaveLength(1);
  });

  it("is asked for again when the directories are others, and missing ones are left out", async () => {
    const told: CleanedDirectory[][] = [];
    const cleanups = new AgentCleanups(
      [],
      async () => null,
      (one) => told.push(one),
    );
    await cleanups.current();
    expect(told).toEqual([]);
    cleanups.set([cleanupOf("/nowhere")]);
    await cleanups.current();
    expect(told).toEqual([[]]);
  });
});

it("sessions that their agent will delete are warned of, and found", async () => {
  await using home = await TestHome.create();
  const projects = join(home.directory, ".claude", "projects");
  await mkdir(projects, { recursive: true });
  const written = async (name: string, days: number) => {
    const path = join(projects, name);
    await writeFile(path, jsonl(said()));
    const time = new Date(Math.floor(Date.now() / 1_000) * 1_000 - days * DAY_MS);
    await utimes(path, time, time);
    return { path, goes: new Date(time.getTime() + 30 * DAY_MS).toISOString() };
  };
  const [old, near, young] = [
    await written("old.jsonl", 40),
    await written("near.jsonl", 25),
    await written("young.jsonl", 5),
  ];
  await home.write("own.jsonl", said());
  const library = await home.open({
    watch: false,
    otherAgentPaths: [projects],
    cleanups: [cleanupOf(join(home.directory, ".claude"))],
  });
  await untilIndexed(library);
  const expiries = (records: { path: string; expires_at: string | null }[]) =>
    Object.fromEntries(records.flatMap(({ path, expires_at }) => (expires_at === null ? [] : [[path, expires_at]])));
  const expected = { [old.path]: old.goes, [near.path]: near.goes };
  expect(expiries(await scanAll(library))).toEqual(expected);
  expect(expiries((await library.list()).sessions)).toEqual(expected);
  expect((await library.session(near.path)).expires_at).toBe(near.goes);
  const listed = async (query: string) => (await library.list({ query })).sessions.map(({ path }) => path).sort();
  expect(await listed("is:expiring")).toEqual([near.path, old.path]);
  expect(await listed("otter is:expiring")).toEqual([near.path, old.path]);
  expect(await listed("-is:expiring")).toContain(young.path);
  const { hits } = await library.search({ query: "otter is:expiring" });
  expect(hits.map(({ session_path }) => session_path).sort()).toEqual([near.path, old.path]);
  await library.setPaths({ sessionPaths: [], otherAgentPaths: [projects] });
  expect(await listed("is:expiring")).toEqual([]);
  expect(expiries(await scanAll(library))).toEqual({});
});
