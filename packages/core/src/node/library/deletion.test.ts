import { mkdir, readdir, stat, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import type { LibraryEvent } from "../../library.ts";
import { codeOf, LIST, SessionText, TestHome, untilIndexed } from "./library.fixture.ts";
import type { Library } from "./library.ts";

const ID = "aaaaaaaa-0000-4000-8000-000000000000";

/** A session of Claude Code, or of an agent that it has started. */
function conversation(sessionId: string, text: string, isSidechain = false): object[] {
  const message = { role: "user", content: text };
  const own = { uuid: `${sessionId.slice(0, 8)}-${text}`, parentUuid: null, sessionId, isSidechain };
  return [{ type: "user", ...own, timestamp: "2026-03-01T10:00:00.000Z", cwd: "/home/dev/project", message }];
}

/** A session with two subagents, what else belongs to it, and a neighbour. */
async function family(home: TestHome) {
  const session = await home.write(`p/${ID}.jsonl`, conversation(ID, "parent"));
  const first = await home.write(`p/${ID}/subagents/agent-a.jsonl`, conversation(ID, "first", true));
  const second = await home.write(`p/${ID}/subagents/workflows/w/agent-b.jsonl`, conversation(ID, "second", true));
  await home.write(`p/${ID}/subagents/agent-a.meta.json`, "{}");
  await home.write(`p/${ID}/tool-results/r.txt`, "a result");
  const neighbour = await home.write("p/other.jsonl", conversation("other", "neighbour"));
  await home.write("p/other/precious.txt", "a folder of the user");
  return { session, first, second, neighbour, folder: dirname(session) };
}

const paths = async (library: Library) =>
  (await library.list({ ...LIST, subagents: "all" })).sessions.map(({ path }) => path).sort();

describe("deleting a session", () => {
  it("takes along all that belongs to it, and tells of it before and after", async () => {
    await using home = await TestHome.create();
    const { session, first, second, neighbour, folder } = await family(home);
    const events: LibraryEvent[] = [];
    const library = await home.open({ watch: false, onEvent: (event) => events.push(event) });
    await untilIndexed(library);
    expect(await library.session(session)).toMatchObject({ subagent_count: 2 });
    await library.toggleFavorite(first);
    const sizes = [first, second].map(async (path) => (await stat(path)).size);
    const companion_bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, "{}a result".length);
    const preview = { path: session, companions: 4, subagents: 2, companion_bytes };
    expect(await library.previewDeletion(session)).toEqual(preview);
    await library.scan();
    events.length = 0;
    expect(await library.delete(session)).toEqual({ path: session, method: "trash", companions: 4, left_behind: [] });
    expect(await readdir(folder)).toEqual(["other", "other.jsonl"]);
    expect(await paths(library)).toEqual([neighbour]);
    expect(await library.favorites()).toEqual([]);
    const removed = () => events.flatMap((event) => (event.type === "records-changed" ? event.removed : []));
    await expect.poll(() => removed().sort()).toEqual([first, second, session].sort());
  });

  it("tells of all that is deleted before it answers", async () => {
    await using home = await TestHome.create();
    const { session, first, second } = await family(home);
    const told: string[][] = [];
    const library = await home.open({ watch: false, onDeleted: async (deleted) => void told.push([...deleted]) });
    await untilIndexed(library);
    await library.delete(second);
    expect(told).toEqual([[second]]);
    await library.delete(session);
    expect(told.at(-1)?.sort()).toEqual([first, session].sort());
  });

  it("takes the notes of a subagent along, and nothing of its neighbours", async () => {
    await using home = await TestHome.create();
    const { session, first, second, neighbour } = await family(home);
    const library = await home.open({ watch: false });
    await untilIndexed(library);
    expect(await library.delete(first)).toMatchObject({ companions: 1, left_behind: [] });
    expect(await readdir(dirname(first))).toEqual(["workflows"]);
    expect(await library.session(session)).toMatchObject({ subagent_count: 1 });
    // A name that is no ID of the agent may be that of any folder.
    expect(await library.delete(neighbour)).toMatchObject({ companions: 0 });
    expect(await readdir(join(dirname(session), "other"))).toEqual(["precious.txt"]);
    expect(await paths(library)).toEqual([second, session].sort());
  });

  it("does not follow links", async () => {
    await using home = await TestHome.create();
    const session = await home.write(`p/${ID}.jsonl`, conversation(ID, "parent"));
    const outside = join(home.directory, "outside");
    await mkdir(outside);
    await writeFile(join(outside, "precious.jsonl"), "precious");
    await mkdir(join(dirname(session), ID));
    await symlink(outside, join(dirname(session), ID, "subagents"));
    const library = await home.open({ watch: false });
    await untilIndexed(library);
    expect(await library.delete(session)).toMatchObject({ companions: 1 });
    expect(await readdir(outside)).toEqual(["precious.jsonl"]);
  });

  it("is refused while an agent works on a subagent of it", async () => {
    await using home = await TestHome.create();
    const name = "p/2026-03-01T10-00-00-000Z_0198c7e2";
    const parent = await home.write(`${name}.jsonl`, new SessionText().user("parent").assistant("Done.").lines);
    const sub = await home.write(`${name}/7f3e/run-0/s.jsonl`, new SessionText().user("sub").assistant("Done.").lines);
    const library = await home.open({ watch: false });
    await untilIndexed(library);
    const stopped: string[] = [];
    const stop = async (path: string) => void stopped.push(path);
    library.setLivePaths(new Set([sub]), { rename: async () => undefined, stop });
    expect(await codeOf(library.delete(parent))).toBe("CONFLICT");
    expect(await paths(library)).toEqual([parent, sub].sort());
    expect(await library.delete(parent, { force: true })).toMatchObject({ companions: 1, left_behind: [] });
    expect([stopped, await paths(library)]).toEqual([[sub], []]);
  });
});
