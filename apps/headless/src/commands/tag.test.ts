import { describe, expect, it } from "vitest";
import { EXIT } from "../failure.ts";
import { runFake } from "../fake-shell.fixture.ts";

const TERMINAL = { columns: 80, env: { NO_COLOR: "1" } };

const tag = (id: string, name: string, parent_id: string | null = null, session_count = 0) => ({
  id,
  name,
  color: "#112233",
  parent_id,
  session_count,
});

const tags = [tag("1", "later"), tag("2", "urgent", "4", 2), tag("3", "urgent", "1"), tag("4", "work")];

const answers = {
  list_tags: tags,
  create_tag: tags[0],
  update_tag: tags[0],
  delete_tag: { id: "1", deleted: true },
  assign_tag: { sessions: [] },
  remove_tag: { sessions: [] },
  list_sessions: { sessions: [{ id: "a", title: "Tides", path: "/s/a.jsonl" }], next_cursor: null },
};

describe("tag", () => {
  it("lists the tree", async () => {
    const { stdout } = await runFake(["tag", "list"], { ...TERMINAL, answers });
    expect(stdout.split("\n")).toEqual([
      "TAG           COLOR    SESSIONS  ID",
      "later         #112233         0  1",
      "later/urgent  #112233         0  3",
      "work          #112233         0  4",
      "work/urgent   #112233         2  2",
      "",
    ]);
    const { stdout: json } = await runFake(["tag", "list", "--json"], { answers });
    expect(JSON.parse(json)).toContainEqual({ ...tags[1], path: "work/urgent" });
    expect((await runFake(["tag", "list"], { ...TERMINAL, answers: { list_tags: [] } })).stdout).toBe("0 tags\n");
  });

  it.each<[string[], unknown[], string]>([
    [
      ["create", "play"],
      ["create_tag", { name: "play", color: "#808080", parent_id: null }],
      "Created the tag play.\n",
    ],
    [
      ["create", "work/urgent/now", "--color", "#abcdef"],
      ["create_tag", { name: "now", color: "#abcdef", parent_id: "2" }],
      "Created the tag work/urgent/now.\n",
    ],
    [["rename", "later", "some day"], ["update_tag", { id: "1", name: "some day" }], "later: Renamed to some day.\n"],
    [["color", "1", "#ffffff"], ["update_tag", { id: "1", color: "#ffffff" }], "later: Changed the color.\n"],
    [["move", "work", "later"], ["update_tag", { id: "4", parent_id: "1" }], "work: Moved below later.\n"],
    [
      ["move", "later/urgent", "/"],
      ["update_tag", { id: "3", parent_id: null }],
      "later/urgent: Moved to the top level.\n",
    ],
    [["delete", "work"], ["delete_tag", { id: "4" }], "Deleted the tag work.\n"],
    [["delete", "2", "--yes"], ["delete_tag", { id: "2" }], "Deleted the tag work/urgent.\n"],
    [
      ["add", "work", "last", "/s/b.jsonl"],
      ["assign_tag", { session_paths: ["/s/a.jsonl", "/s/b.jsonl"], tag_id: "4" }],
      "2 sessions now have the tag work.\n",
    ],
    [
      ["remove", "work", "a"],
      ["remove_tag", { session_paths: ["/s/a.jsonl"], tag_id: "4" }],
      "1 session no longer has the tag work.\n",
    ],
  ])("%j sends one change", async (argv, sent, words) => {
    const run = await runFake(["tag", ...argv], { ...TERMINAL, answers });
    expect(run).toMatchObject({ error: null, stdout: words });
    expect(run.sent.at(-1)).toEqual(sent);
    const { stdout } = await runFake(["tag", ...argv, "--json"], { answers });
    expect(JSON.parse(stdout)).toEqual(answers[sent[0] as "create_tag"]);
  });

  it("shows the candidates of a name that several tags have", async () => {
    const run = await runFake(["tag", "delete", "urgent"], { answers });
    expect(run.error).toMatchObject({ exitCode: EXIT.notFound, lines: ["  later/urgent  3", "  work/urgent  2"] });
    expect(run.sent).toHaveLength(1);
  });

  it.each([["work/later"], ["nothing"], [""]])("does not find %j", async (named) => {
    const { error } = await runFake(["tag", "color", named, "#000000"], { answers });
    expect(error).toMatchObject({ exitCode: EXIT.notFound, message: expect.stringContaining("session-cli tag list") });
  });

  it("asks before it takes a tag from sessions", async () => {
    const asked = await runFake(["tag", "delete", "2"], { ...TERMINAL, typed: "y\n", answers });
    expect(asked.stderr).toContain("2 sessions have the tag work/urgent. Delete it? [y/N]");
    expect(asked.sent.at(-1)).toEqual(["delete_tag", { id: "2" }]);
    const refused = await runFake(["tag", "delete", "2"], { ...TERMINAL, typed: "\n", answers });
    expect(refused.error).toMatchObject({ exitCode: EXIT.failure, message: "Nothing was deleted." });
    const silent = await runFake(["tag", "delete", "2"], { answers });
    expect(silent.error).toMatchObject({ exitCode: EXIT.usage, message: expect.stringContaining("--yes") });
    expect([...refused.sent, ...silent.sent].map(([command]) => command)).toEqual(["list_tags", "list_tags"]);
  });
});

describe("favorite", () => {
  const favorites = { ...answers, list_favorites: ["/s/a.jsonl"] };

  it.each<[string[], boolean, string[]]>([
    [["add", "/s/a.jsonl"], true, []],
    [["add", "/s/b.jsonl"], true, ["/s/b.jsonl"]],
    [["remove", "last"], false, ["/s/a.jsonl"]],
    [["remove", "/s/b.jsonl"], false, []],
  ])("%j changes only what is not so yet", async (argv, wanted, toggled) => {
    const [, path = ""] = argv;
    const own = path === "last" ? "/s/a.jsonl" : path;
    const run = await runFake(["favorite", ...argv, "--json"], {
      answers: { ...favorites, toggle_favorite: { path: own, is_favorite: wanted } },
    });
    expect(run.sent.filter(([command]) => command === "toggle_favorite")).toEqual(
      toggled.map((path) => ["toggle_favorite", { path }]),
    );
    expect(JSON.parse(run.stdout)).toEqual([{ path: own, is_favorite: wanted }]);
  });

  it("turns back what it has turned over because the path was another's", async () => {
    const run = await runFake(["favorite", "add", "/link/a.jsonl"], {
      answers: { ...favorites, toggle_favorite: { path: "/s/a.jsonl", is_favorite: false } },
    });
    expect(run.sent.map(([command]) => command)).toEqual(["list_favorites", "toggle_favorite", "toggle_favorite"]);
  });

  it("lists them", async () => {
    const page = { ...answers.list_sessions, sessions: [], total: 0, pending: 0 };
    const shown = await runFake(["favorite", "list"], { ...TERMINAL, answers: { list_sessions: page } });
    expect(shown).toMatchObject({
      stdout: "0 sessions\n",
      sent: [["list_sessions", { favorites_only: true, limit: 500 }]],
    });
    expect(JSON.parse((await runFake(["favorite", "list", "--json"], { answers: favorites })).stdout)).toEqual([
      "/s/a.jsonl",
    ]);
  });
});
