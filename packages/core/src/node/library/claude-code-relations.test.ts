import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { LIST, TestHome } from "./library.fixture.ts";

// Compares what is found of the relations in the homes in ../shared with what a correct reader finds.

const HOMES = join(import.meta.dirname, "../../../../../../shared/fixtures/homes/claude-code");

interface Expected {
  homes: {
    sessions: Record<
      string,
      { fork?: { of: string }; subagents: string[]; title: { source: string; text: string | null } }
    >;
    subagents: Record<string, { parentSession: string }>;
  }[];
}

interface Related {
  parent: string | null;
  relation: "fork" | "subagent" | null;
  subagents: number;
}

/** Relations of all sessions in the folders that have any, by path. */
function expectedRelations(): Map<string, Related> {
  const { homes } = JSON.parse(readFileSync(join(HOMES, "expected.json"), "utf8")) as Expected;
  const relations = new Map<string, Related>();
  for (const { sessions, subagents } of homes) {
    const all = Object.entries(sessions);
    const pathOf = (id: string) => all.find(([path]) => basename(path) === `${id}.jsonl`)?.[0] ?? id;
    const folders = new Set(
      all.flatMap(([path, session]) => (session.fork || session.subagents.length > 0 ? [dirname(path)] : [])),
    );
    for (const [path, { fork, subagents }] of all) {
      if (!folders.has(dirname(path))) continue;
      const parent = fork === undefined ? null : pathOf(fork.of);
      relations.set(path, { parent, relation: parent === null ? null : "fork", subagents: subagents.length });
    }
    for (const [path, { parentSession }] of Object.entries(subagents)) {
      relations.set(path, { parent: pathOf(parentSession), relation: "subagent", subagents: 0 });
    }
  }
  return relations;
}

const isThere = existsSync(join(HOMES, "expected.json"));
if (!isThere) console.warn(`${HOMES} is absent: relations in it are not tried`);

describe.skipIf(!isThere)("the relations of the sessions of Claude Code", () => {
  it.each([
    ["in their order", (paths: string[]) => paths],
    ["in the opposite order", (paths: string[]) => paths.toReversed()],
  ])("are those expected when the files come %s", { timeout: 60_000 }, async (_, order) => {
    const expected = expectedRelations();
    expect([...expected.values()].filter(({ relation }) => relation === "fork").length).toBeGreaterThan(4);
    expect([...expected.values()].filter(({ relation }) => relation === "subagent").length).toBeGreaterThan(14);

    await using home = await TestHome.create();
    const library = await home.open({ watch: false });
    for (const path of order([...expected.keys()].sort())) {
      await home.write(path, readFileSync(join(HOMES, "home", path)));
      await library.scan();
    }
    const options = { ...LIST, limit: 200 };
    const { sessions } = await library.list({ ...options, subagents: "all" });
    const relative = (path: string | null) => path?.slice(home.sessions.length + 1) ?? null;
    const found = sessions.map(({ path, parent_session_path, relation, subagent_count }): [string | null, Related] => [
      relative(path),
      { parent: relative(parent_session_path), relation, subagents: subagent_count },
    ]);
    expect(Object.fromEntries(found)).toEqual(Object.fromEntries(expected));

    const folded = (await library.list(options)).sessions.map(({ path }) => relative(path));
    const unfolded = [...expected].flatMap(([path, { relation }]) => (relation === "subagent" ? [] : [path]));
    expect(folded.sort()).toEqual(unfolded.sort());
  });
});

describe.skipIf(!isThere)("the titles of sessions of Claude Code in files of others", () => {
  it.each([
    ["in their order", (paths: string[]) => paths],
    ["in the opposite order", (paths: string[]) => paths.toReversed()],
  ])("are those expected when the files come %s", async (_, order) => {
    const { homes } = JSON.parse(readFileSync(join(HOMES, "expected.json"), "utf8")) as Expected;
    const all = homes.flatMap(({ sessions }) => Object.entries(sessions));
    const told = all.filter(([, { title }]) => title.source === "summary");
    expect(told.length).toBeGreaterThan(1);
    const folders = new Set(told.map(([path]) => dirname(path)));
    await using home = await TestHome.create();
    const library = await home.open({ watch: false });
    for (const path of order(all.flatMap(([path]) => (folders.has(dirname(path)) ? [path] : [])))) {
      await home.write(path, readFileSync(join(HOMES, "home", path)));
      await library.scan();
    }
    for (const [path, { title }] of told) {
      expect([path, (await library.session(join(home.sessions, path))).title]).toEqual([path, title.text]);
    }
  });
});
