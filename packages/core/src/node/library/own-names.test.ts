import { mkdir, readFile, rename } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import type { LibraryEvent } from "../../library.ts";
import { EXPORT, LIST, SessionText, scanAll, searchFor, TestHome, untilIndexed } from "./library.fixture.ts";
import type { Library } from "./library.ts";

/** A session of an agent whose files are only read. */
function foreign(id: string, prompt: string, title?: string): object[] {
  const said = (type: string, uuid: string, parentUuid: string | null, content: unknown) => ({
    type,
    uuid,
    parentUuid,
    sessionId: id,
    timestamp: "2026-03-01T10:00:00.000Z",
    cwd: "/home/dev/project",
    message: { role: type, content },
  });
  const titles = title === undefined ? [] : [{ type: "custom-title", customTitle: title, sessionId: id }];
  return [
    said("user", "11111111-0000-4000-8000-000000000001", null, prompt),
    said("assistant", "11111111-0000-4000-8000-000000000002", "11111111-0000-4000-8000-000000000001", [
      { type: "text", text: "Done." },
    ]),
    ...titles,
  ];
}

const A = "aaaaaaaa-0000-4000-8000-000000000000";
const B = "bbbbbbbb-0000-4000-8000-000000000000";

async function opened(home: TestHome, more: Parameters<TestHome["open"]>[0] = {}) {
  const a = await home.write(`p/${A}.jsonl`, foreign(A, "Fix the parser", "Parser work"));
  const b = await home.write(`p/${B}.jsonl`, foreign(B, "Write the notes"));
  const own = await home.write("p/own.jsonl", new SessionText().user("Middle").assistant("Done.").lines);
  const library = await home.open({ watch: false, ...more });
  await untilIndexed(library);
  return { a, b, own, library };
}

const titles = async (library: Library, more: object = {}) =>
  (await library.list({ ...LIST, sort: "title", order: "asc", ...more })).sessions.map(({ title }) => title);

describe("a name of a session whose file is only read", () => {
  it("is its title everywhere, and the file stays as it is", async () => {
    await using home = await TestHome.create();
    const { a, library } = await opened(home);
    const bytes = await readFile(a);
    expect(await titles(library)).toEqual(["Middle", "Parser work", "Write the notes"]);

    const expected = { path: a, name: "Zebra release", title: "Zebra release" };
    expect(await library.rename(a, "Zebra\nrelease")).toMatchObject(expected);
    expect(await library.session(a)).toMatchObject(expected);
    expect((await scanAll(library)).find(({ path }) => path === a)).toMatchObject(expected);
    expect(await titles(library)).toEqual(["Middle", "Write the notes", "Zebra release"]);
    expect(await titles(library, { query: "zebra" })).toEqual(["Zebra release"]);
    expect(await titles(library, { query: "work" })).toEqual([]);
    const { hits } = await library.search(searchFor("parser"));
    expect(hits[0]).toMatchObject({ session_path: a, session_title: "Zebra release" });
    for (const format of ["html", "markdown", "json"] as const) {
      const { content, file_name } = await library.export({ ...EXPORT, path: a, format });
      expect(content).toContain("Zebra release");
      expect(file_name).toMatch(/zebra/i);
    }
    expect(await readFile(a)).toEqual(bytes);
  });

  it("is found by name:, and the one in the file is not", async () => {
    await using home = await TestHome.create();
    const { a, b, library } = await opened(home);
    const found = async (query: string) =>
      (await library.search(searchFor(query))).hits.map(({ session_path }) => session_path);
    expect(await found("name:parser")).toEqual([a]);
    await library.rename(a, "Zebra release");
    await library.rename(b, "Zebra notes");
    expect(await found("name:parser")).toEqual([]);
    expect(await found("name:zebra name:rel*")).toEqual([a]);
    expect((await found("name:zebra")).sort()).toEqual([a, b]);
    expect(await found("-name:zebra parser")).toEqual([]);
  });

  it("goes with an empty name, after which the agent's title is shown", async () => {
    await using home = await TestHome.create();
    const { a, b, library } = await opened(home);
    await library.rename(a, "Zebra");
    await library.rename(b, "Aardvark");
    expect(await library.rename(a, "")).toMatchObject({ title: "Parser work" });
    expect(await library.rename(b, "")).toMatchObject({ name: null, title: "Write the notes" });
    expect(await titles(library)).toEqual(["Middle", "Parser work", "Write the notes"]);
  });

  it("is told to others, and there after a restart", async () => {
    await using home = await TestHome.create();
    const events: LibraryEvent[] = [];
    const { a, library } = await opened(home, { onEvent: (event) => events.push(event) });
    events.length = 0;
    await library.rename(a, "Zebra");
    await expect
      .poll(() => events)
      .toEqual([
        { type: "records-changed", added: [], removed: [], updated: [expect.objectContaining({ name: "Zebra" })] },
      ]);
    await home.close(library);
    expect(await (await home.open({ watch: false })).session(a)).toMatchObject({ name: "Zebra", title: "Zebra" });
  });

  it("follows a file that is moved, and goes with a file that is deleted", async () => {
    await using home = await TestHome.create();
    const { a, b, library } = await opened(home);
    await library.rename(a, "Zebra");
    await library.rename(b, "Aardvark");
    const moved = join(home.sessions, "elsewhere", `${A}.jsonl`);
    await mkdir(dirname(moved));
    await rename(a, moved);
    await library.scan();
    expect(await library.session(moved)).toMatchObject({ name: "Zebra" });
    expect(await titles(library)).toEqual(["Aardvark", "Middle", "Zebra"]);
    await library.delete(b);
    await home.write(`p/${B}.jsonl`, foreign(B, "Write the notes"));
    await library.scan();
    expect(await titles(library)).toEqual(["Middle", "Write the notes", "Zebra"]);
  });

  it("leaves those of sessions with a writer in their files", async () => {
    await using home = await TestHome.create();
    const { own, library } = await opened(home);
    expect(await library.rename(own, "Named")).toMatchObject({ name: "Named", title: "Named" });
    expect(await readFile(own, "utf8")).toContain('"name":"Named"');
  });
});
