import { readFile, unlink, writeFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { SearchHit, SearchOptions } from "../../library.ts";
import { codeOf, jsonl, SessionText, searchAll, searchFor, TestHome, untilIndexed } from "./library.fixture.ts";
import type { Library } from "./library.ts";

const START = Date.parse("2026-03-01T10:00:00.000Z");
const HOUR = 60 * 60 * 1000;

let home: TestHome;
let library: Library;
beforeAll(async () => {
  home = await TestHome.create();
  library = await home.open();
});
afterAll(() => home[Symbol.asyncDispose]());

let lastFile = 0;
async function write(...sessions: SessionText[]): Promise<string[]> {
  const paths: string[] = [];
  for (const session of sessions) paths.push(await home.write(`p/${++lastFile}.jsonl`, session.lines));
  await untilIndexed(library);
  return paths;
}

const search = async (query: string, more: Partial<SearchOptions> = {}) =>
  (await library.search(searchFor(query, { per_session: 100, ...more }))).hits;

const marked = ({ snippet, highlights }: SearchHit) => highlights.map(([start, end]) => snippet.slice(start, end));

describe("search", () => {
  it("finds the calls of a script by their words, tools and files", async () => {
    const session = new SessionText().user("Count the kinkajous").message({
      role: "toolResult",
      toolCallId: "call",
      toolName: "codemode",
      content: [{ type: "text", text: "Script completed" }],
      nestedCalls: {
        calls: [
          { id: "n1", name: "grep", arguments: { pattern: "kinkajou", path: "zoo/night.md" }, status: "ok" },
          { id: "n2", name: "mcp__zoo__count", arguments: {}, status: "error", error: "no kinkajou keeper" },
        ],
        complete: true,
      },
      isError: false,
    });
    await write(session);
    const found = async (query: string) =>
      (await search(query)).map(({ entry_id, kind, tool_name }) => [entry_id === session.leaf, kind, tool_name]);
    expect(await found("pattern kinkajou")).toEqual([[true, "tool_call", "grep"]]);
    expect(await found("tool:grep")).toEqual([[true, "tool_call", "grep"]]);
    expect(await found("file:zoo/night.md")).toEqual([[true, "tool_call", "grep"]]);
    expect(await found("kinkajou keeper")).toEqual([[true, "tool_result", "mcp__zoo__count"]]);
    expect(await found("tool:mcp__zoo__count keeper")).toEqual([[true, "tool_result", "mcp__zoo__count"]]);
  });

  it("gives everything about a hit", async () => {
    const session = new SessionText({ id: "the-id", cwd: "/home/dev/zoo" }, START).user("Where does the Okapi live?");
    const [path] = await write(session);
    const page = await library.search(searchFor("okapi"));
    expect(page).toEqual({
      hits: [
        {
          session_path: path,
          format: "pi",
          session_id: "the-id",
          session_title: "Where does the Okapi live?",
          cwd: "/home/dev/zoo",
          entry_id: session.leaf,
          role: "user",
          kind: "text",
          tool_name: null,
          timestamp: "2026-03-01T10:00:02.000Z",
          snippet: "Where does the Okapi live?",
          highlights: [[15, 20]],
          score: expect.any(Number),
        },
      ],
      total: 1,
      total_is_exact: true,
      next_cursor: null,
      took_ms: expect.any(Number),
      indexing: { done: lastFile, pending: 0 },
    });
  });

  it("knows who said what", async () => {
    const call = { type: "toolCall", id: "c", name: "edit", arguments: { path: "quokka.txt", lines: ["quokka"] } };
    const session = new SessionText()
      .user("quokka asked")
      .assistant("quokka answered", [{ type: "thinking", thinking: "quokka thought" }, call])
      .toolResult("quokka returned", "edit")
      .message({ role: "bashExecution", command: "echo quokka", output: "quokka", exitCode: 0 })
      .entry({ type: "compaction", summary: "quokka summed up", firstKeptEntryId: "x", tokensBefore: 1 })
      .entry({ type: "branch_summary", summary: "quokka left behind", fromId: "x" })
      .entry({ type: "session_info", name: "quokka named" })
      .label("x", "quokka labelled")
      .entry({ type: "custom_message", customType: "note", content: "quokka noted", display: true })
      .entry({ type: "custom_message", customType: "note", content: "quokka hidden", display: false })
      .entry({ type: "custom", customType: "note", data: { quokka: "quokka" } });
    await write(session);
    const kinds = async (role: SearchOptions["role"]) =>
      (await search("quokka", { role })).map((hit) => `${hit.role} ${hit.kind} ${hit.tool_name}`).sort();
    const user = ["user text null"];
    const assistant = ["assistant text null", "assistant thinking null"];
    const tool = ["tool bash bash", "tool tool_call edit", "tool tool_result edit"];
    const others = ["null label null", "null name null", "null summary null", "null summary null", "null text null"];
    expect(await kinds("user")).toEqual(user);
    expect(await kinds("assistant")).toEqual(assistant);
    expect(await kinds("tool")).toEqual(tool);
    expect(await kinds("all")).toEqual([...user, ...assistant, ...tool, ...others].sort());
    const byQuery = await search("quokka role:tool");
    expect(byQuery.map((hit) => hit.kind).sort()).toEqual(["bash", "tool_call", "tool_result"]);
    expect(await search("quokka role:tool", { role: "user" })).toEqual([]);
  });

  it("reads the arguments of a tool as they are, however deep", async () => {
    const edits = [{ oldText: "first\nthylacine", newText: 'a "quoted"\nkowari', options: { isAll: true } }];
    const call = { type: "toolCall", id: "c", name: "edit", arguments: { edits, deep: "bilby" } };
    const [path = ""] = await write(new SessionText({}, START).assistant("", [call]));
    const depth = 20_000;
    const text = await readFile(path, "utf8");
    await writeFile(path, text.replace('"bilby"', `${"[".repeat(depth)}"bilby"${"]".repeat(depth)}`));
    await untilIndexed(library);
    for (const query of ["thylacine", "kowari", "isAll", '"quoted kowari"'])
      expect(await search(query)).toHaveLength(1);
  });

  it("marks what was found in a snippet from the file", async () => {
    const long = `${"before ".repeat(5000)}the 🙂 getLemurName and Lémurs are here${" after".repeat(5000)}`;
    await write(new SessionText().user(long), new SessionText().user("狐猴在樹上睡覺"));
    const [hit, ...others] = await search("lemurs lemur*");
    expect(others).toEqual([]);
    expect(hit?.snippet.length).toBeLessThan(300);
    expect(hit?.snippet).toMatch(/^….*Lémurs are here.*…$/);
    expect(hit && marked(hit)).toEqual(["Lemur", "Lémurs"]);
    const [cjk] = await search("樹上");
    expect(cjk && marked(cjk)).toEqual(["樹上"]);
  });

  it.each([
    ["narwhal unicorn", ["both"]],
    ['"narwhal unicorn"', []],
    ['"narwhal and unicorn"', ["both"]],
    ["narwhal -unicorn", ["narwhal only"]],
    ["narw*", ["both", "narwhal only"]],
    ["NARWHAL only", ["narwhal only"]],
    ["unicorn OR only", ["both", "narwhal only"]],
    ["narwhal (unicorn OR nothing)", ["both"]],
    ["narwhal -(unicorn OR nothing)", ["narwhal only"]],
    ["~arwhal", ["both", "narwhal only"]],
    ['~"whal onl"', ["narwhal only"]],
    ["~whal-only", []],
  ])("understands %s", async (query, expected) => {
    await write(new SessionText().user("narwhal and unicorn both"), new SessionText().user("narwhal only"));
    const found = new Set((await search(query)).map((hit) => (hit.snippet.includes("both") ? "both" : hit.snippet)));
    expect([...found].sort()).toEqual(expected);
  });

  it.each([
    ["   ", 1],
    ["-word", 1],
    ['an "open', 4],
    ["word role:nobody", 6],
    ["word before:someday", 6],
    ["(word", 1],
    ["word ~ab", 6],
  ])("refuses the query %j and names column %i", async (query, column) => {
    const refused = library.search(searchFor(query));
    const message = expect.stringContaining(`column ${column}`);
    await expect(refused).rejects.toMatchObject({
      code: "INVALID_PAYLOAD",
      details: [{ path: "query", message }],
    });
  });

  it("finds identifiers by their parts and as a whole, whoever writes them how", async () => {
    await write(new SessionText().user("getTapirName(); put_tapir_name; the tapirName of src/tapir.name.ts"));
    for (const query of [
      "getTapirName",
      "gettapirname",
      "tapir_name",
      "tapirname",
      "tapir-name",
      '"tapir name"',
      "TAPIR",
    ])
      expect(await search(query)).toHaveLength(1);
    expect(await search("~apirNa")).toHaveLength(1);
    expect(await search('~"_tapir_"')).toHaveLength(1);
    expect(await search('~"_tapir-"')).toEqual([]);
  });

  it("finds CJK text by any two characters that stand together", async () => {
    await write(new SessionText().user("検索エンジンは速い"));
    for (const query of ["検索", "索エ", "エンジン", "は速い", "~ンジン"]) expect(await search(query)).toHaveLength(1);
    expect(await search("検エ")).toEqual([]);
  });
});

describe("pages of a search", () => {
  const SESSIONS = 12;
  beforeAll(async () => {
    const sessions = Array.from({ length: SESSIONS }, (_, number) => {
      // Three sessions each are of the same time.
      const session = new SessionText({ cwd: `/home/dev/${number % 2}` }, START + Math.floor(number / 3) * HOUR);
      for (let n = 0; n < 5; n++) {
        session.user(`ocelot ${n}`).assistant(`ocelot ${n}`, [{ type: "thinking", thinking: `ocelot thought ${n}` }]);
      }
      return session;
    });
    await write(...sessions);
  });

  const key = (hit: SearchHit) => `${hit.session_path} ${hit.entry_id} ${hit.kind}`;

  it.each(
    (["relevance", "newest"] as const).flatMap((sort) => [1, 2, 3, 7, 50, 200].map((limit) => [sort, limit] as const)),
  )("by %s, %d at a time, hold every hit once and in one order", async (sort, limit) => {
    const options = searchFor("ocelot", { sort, per_session: 200 });
    const whole = await library.search({ ...options, limit: 200 });
    expect(whole).toMatchObject({ total: SESSIONS * 15, total_is_exact: true, next_cursor: null });
    expect(new Set(whole.hits.map(key)).size).toBe(SESSIONS * 15);
    expect((await searchAll(library, { ...options, limit })).map(key)).toEqual(whole.hits.map(key));
  });

  it.each(["relevance", "newest"] as const)("by %s hold no more of a session than is asked for", async (sort) => {
    for (const limit of [1, 5, 200]) {
      const hits = await searchAll(library, searchFor("ocelot", { sort, limit, per_session: 2 }));
      const counts = new Map<string, number>();
      for (const hit of hits) counts.set(hit.session_path, (counts.get(hit.session_path) ?? 0) + 1);
      expect([...counts.values()]).toEqual(Array(SESSIONS).fill(2));
    }
  });

  it("stand together by session, sessions by their best score, and in each by score", async () => {
    const hits = await search("ocelot", { limit: 200 });
    const sessions = [...new Set(hits.map((hit) => hit.session_path))];
    const scores = sessions.map((path) => hits.filter((hit) => hit.session_path === path).map((hit) => hit.score));
    expect(hits.map((hit) => hit.score)).toEqual(scores.flat());
    expect(hits.map((hit) => hit.session_path)).toEqual(sessions.flatMap((path) => Array(15).fill(path)));
    const descending = (numbers: number[]) => [...numbers].sort((a, b) => b - a);
    for (const own of scores) expect(own).toEqual(descending(own));
    const best = scores.map((own) => own[0] ?? 0);
    expect(best).toEqual(descending(best));
  });

  it("are all of one session where that is asked for, in pages", async () => {
    const long = new SessionText();
    for (let n = 0; n < 12; n++) long.user(`serval ${n}`);
    const [path = "", other = ""] = await write(long, new SessionText().user("another serval"));
    const options = searchFor("serval", { path, limit: 5, per_session: 1 });
    const hits = await searchAll(library, options);
    expect(new Set(hits.map(({ entry_id }) => entry_id)).size).toBe(12);
    expect(new Set(hits.map(({ session_path }) => session_path))).toEqual(new Set([path]));
    expect((await library.search(options)).total).toBe(12);
    expect(await search("serval", { path: other, sort: "newest" })).toHaveLength(1);
    expect(await search("serval", { path, tag_ids: ["none"] })).toEqual([]);
    expect(await codeOf(search("serval", { path: `${path}.jsonl` }))).toBe("NOT_FOUND");
    expect(await codeOf(search("serval", { path: "/etc/passwd.jsonl" }))).toBe("FORBIDDEN");
  });

  it("are sorted by the time of the entry", async () => {
    const times = (await search("ocelot", { sort: "newest", limit: 200 })).map((hit) => hit.timestamp ?? "");
    expect(times).toHaveLength(SESSIONS * 15);
    expect(times).toEqual([...times].sort().reverse());
  });

  it.each(["relevance", "newest"] as const)("by %s end early where filters leave little over", async (sort) => {
    const all = await search("ocelot", { sort, limit: 200 });
    const since = new Date(START + HOUR + 4000).toISOString();
    const until = new Date(START + 2 * HOUR + 6000).toISOString();
    const within = (hit: SearchHit) => since <= (hit.timestamp ?? "") && (hit.timestamp ?? "") < until;
    for (const limit of [1, 7, 200]) {
      const timed = searchFor("ocelot", { sort, limit, since, until, per_session: 200 });
      const hits = await searchAll(library, timed);
      expect(hits.map(key).sort()).toEqual(all.filter(within).map(key).sort());
      const few = await searchAll(library, { ...timed, per_session: 1 });
      expect(few.map((hit) => hit.session_path).sort()).toEqual(
        [...new Set(all.filter(within).map((hit) => hit.session_path))].sort(),
      );
      const project = await searchAll(
        library,
        searchFor("ocelot", { sort, limit, project: "/home/dev/1", per_session: 9 }),
      );
      expect(project).toHaveLength((SESSIONS / 2) * 9);
      expect(new Set(project.map((hit) => hit.cwd))).toEqual(new Set(["/home/dev/1"]));
    }
    expect(await search("ocelot", { sort, project: "/home/dev/2" })).toEqual([]);
    expect(await search("ocelot", { sort, tag_ids: ["none"] })).toEqual([]);
    expect(await search("ocelot", { sort, format: "pi", limit: 200 })).toHaveLength(all.length);
  });

  it("refuse a cursor that is none, and one of another search", async () => {
    const { next_cursor } = await library.search(searchFor("ocelot", { limit: 1 }));
    const cursor = next_cursor ?? "";
    const stored = JSON.parse(Buffer.from(cursor, "base64url").toString());
    const odd = [
      {},
      null,
      "x",
      [],
      { ...stored, rank: {} },
      { ...stored, shown: [1, "x"] },
      { ...stored, statistics: { ...stored.statistics, least: "" } },
    ];
    const cursors = ["", "%%", ...odd.map((value) => Buffer.from(JSON.stringify(value)).toString("base64url"))];
    for (const wrong of cursors) expect(await codeOf(search("ocelot", { cursor: wrong }))).toBe("INVALID_PAYLOAD");
    const options = { limit: 1, per_session: 3, cursor };
    expect(await search("ocelot", options)).toHaveLength(1);
    expect(await codeOf(search("ocelots", options))).toBe("INVALID_PAYLOAD");
    expect(await codeOf(search("ocelot", { ...options, sort: "newest" }))).toBe("INVALID_PAYLOAD");
    expect(await codeOf(search("ocelot", { ...options, role: "user", project: "/" }))).toBe("");
  });

  it.each(["relevance", "newest"] as const)(
    "by %s neither repeat nor lose a hit while sessions come and grow",
    async (sort) => {
      const word = `serval${sort}`;
      const sessions = Array.from({ length: 9 }, (_, n) =>
        new SessionText({}, START + n * HOUR).user(`${word} ${"x ".repeat(n)}`).assistant(`${word} answered`),
      );
      const paths = await write(...sessions);
      const options = searchFor(word, { sort, limit: 3 });
      const before = (await search(word, { sort, limit: 200 })).map(key);
      const found: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await library.search({ ...options, cursor });
        found.push(...page.hits.map(key));
        cursor = page.next_cursor ?? undefined;
        await write(
          new SessionText({}, START).user(word),
          new SessionText({}, START + 500 * HOUR).user(`${word} ${word}`),
        );
        await home.append(
          paths[found.length % 9] ?? "",
          new SessionText({}, START + 600 * HOUR).user(word).lines.slice(-1),
        );
        await untilIndexed(library);
      } while (cursor !== undefined);
      expect(new Set(found).size).toBe(found.length);
      expect(found).toEqual(expect.arrayContaining(before));
    },
  );

  it("by time go on where they were when a session of the page before has grown or is gone", async () => {
    const sessions = Array.from({ length: 6 }, (_, n) => new SessionText({}, START + n * HOUR).user("margay"));
    const paths = await write(...sessions);
    const options = searchFor("margay", { sort: "newest", limit: 2 });
    const pathsOf = (hits: SearchHit[]) => hits.map((hit) => paths.indexOf(hit.session_path));
    const first = await library.search(options);
    expect(pathsOf(first.hits)).toEqual([5, 4]);
    const grown = new SessionText({}, START + 100 * HOUR).user("more");
    await home.append(paths[4] ?? "", grown.lines.slice(-1));
    await untilIndexed(library);
    const second = await library.search({ ...options, cursor: first.next_cursor ?? "" });
    expect(pathsOf(second.hits)).toEqual([3, 2]);
    await unlink(paths[2] ?? "");
    await untilIndexed(library);
    const third = await library.search({ ...options, cursor: second.next_cursor ?? "" });
    expect(pathsOf(third.hits)).toEqual([1, 0]);
  });
});

describe("a total", () => {
  it("is not exact while there is text that is not searchable yet", async () => {
    await using empty = await TestHome.create();
    const other = await empty.open();
    const filler = "so many words that it takes a while ".repeat(200_000);
    await empty.write("long.jsonl", new SessionText().user("genet").user(filler).lines);
    await other.scan();
    const during = await other.search(searchFor("genet"));
    expect(during.indexing.pending).toBe(1);
    expect(during.total_is_exact).toBe(false);
    await untilIndexed(other);
    expect(await other.search(searchFor("genet"))).toMatchObject({ total: 1, total_is_exact: true });
  });
});

describe("what is found", () => {
  it("is the present name and the present labels only", async () => {
    const session = new SessionText().user("something");
    const user = session.leaf;
    session.entry({ type: "session_info", name: "gecko" }).label(user, "iguana").label("other", "skink");
    const [path = ""] = await write(session);
    const found = async () => {
      const words = ["gecko", "iguana", "skink", "chameleon", "monitor"];
      const hits = await Promise.all(words.map(async (word) => [word, (await search(word)).length] as const));
      return hits.filter(([, count]) => count > 0).map(([word]) => word);
    };
    expect(await found()).toEqual(["gecko", "iguana", "skink"]);
    session.label(user, "chameleon").entry({ type: "session_info", name: "monitor" });
    await writeFile(path, jsonl(session.lines));
    await untilIndexed(library);
    expect(await found()).toEqual(["skink", "chameleon", "monitor"]);
    session.label("other").entry({ type: "session_info", name: "" });
    await home.append(path, session.lines.slice(-2));
    await untilIndexed(library);
    expect(await found()).toEqual(["chameleon"]);
  });

  it("is nothing of what was deleted or rewritten, and all that was appended", async () => {
    const session = new SessionText().user("axolotl");
    const [path = "", gone = ""] = await write(session, new SessionText().user("axolotl too"));
    expect(await search("axolotl")).toHaveLength(2);
    await unlink(gone);
    await home.append(path, session.assistant("salamander").lines.slice(-1));
    await untilIndexed(library);
    expect(await library.search(searchFor("axolotl"))).toMatchObject({ total: 1, hits: [{ session_path: path }] });
    expect(await search("salamander")).toHaveLength(1);
    await writeFile(path, jsonl(new SessionText().user("newt").lines));
    await untilIndexed(library);
    expect(await library.search(searchFor("axolotl"))).toMatchObject({ total: 0, hits: [] });
    expect(await search("salamander")).toEqual([]);
    expect(await search("newt")).toHaveLength(1);
  });

  it("is nothing of a file that is gone, even before that is noticed", async () => {
    const [path = ""] = await write(new SessionText().user("wombat"));
    expect(await search("wombat")).toHaveLength(1);
    await unlink(path);
    expect(await search("wombat")).toEqual([]);
  });
});
