import { describe, expect, it } from "vitest";
import { type FakeOptions, runFake } from "./fake-shell.fixture.ts";

const tags = Array.from({ length: 40 }, (_, at) => ({
  id: `${at}`,
  name: `tag-${at}`,
  color: "#112233",
  parent_id: null,
  session_count: 0,
}));

describe("the pager", () => {
  const list = (argv: string[], options: FakeOptions = {}, count = 40) =>
    runFake(["tag", "list", ...argv], { columns: 80, answers: { list_tags: tags.slice(0, count) }, ...options });

  it("shows what does not fit the terminal, after the connection is closed", async () => {
    const { stdout, paged, closed } = await list([]);
    expect(stdout).toBe("");
    expect(paged).toEqual([expect.stringContaining("tag-39")]);
    expect(closed).toBe(1);
    expect((await list(["--json"])).paged).toEqual([expect.stringContaining('"tag-39"')]);
  });

  it.each<[string, string[], FakeOptions, number]>([
    ["what fits", [], {}, 28],
    ["anything with --no-pager", ["--no-pager"], {}, 40],
    ["what goes elsewhere", [], { columns: undefined as never }, 40],
    ["anything on a terminal that knows nothing", [], { env: { TERM: "dumb" } }, 40],
  ])("does not show %s", async (_what, argv, options, count) => {
    const { stdout, paged } = await list(argv, options, count);
    expect(stdout).toContain(`tag-${count - 1}`);
    expect(paged).toEqual([]);
  });

  it("is done without where it cannot be started", async () => {
    expect((await list([], { hasPager: false })).stdout).toContain("tag-39");
  });
});

describe("--quiet", () => {
  it.each<[string[], object, string]>([
    [["tag", "list"], { list_tags: tags.slice(0, 2) }, "tag-0\ntag-1\n"],
    [["tag", "delete", "tag-1"], { list_tags: tags, delete_tag: { id: "1", deleted: true } }, ""],
    [["rename", "/a.jsonl", "x"], { rename_session: { title: "x" } }, ""],
    [["fork", "/a.jsonl"], { fork_session: { id: "0199", title: "x" } }, "0199\n"],
    [
      ["token", "create", "x"],
      { create_token: { token: "sm_x", name: "x", scope: "full", expires_at: null } },
      "sm_x\n",
    ],
  ])("%j writes the result alone", async (argv, answers, stdout) => {
    const run = await runFake([...argv, "-q"], { columns: 80, answers: answers as Record<string, unknown> });
    expect(run).toMatchObject({ error: null, stdout, stderr: "" });
  });
});

describe("fork", () => {
  const answers = { fork_session: { id: "0199", title: "Tide clock" } };

  it("copies a branch", async () => {
    const run = await runFake(["fork", "/a.jsonl", "--entry", "e1"], { answers });
    expect(run.sent).toEqual([["fork_session", { path: "/a.jsonl", entry_id: "e1" }]]);
    expect(run.stdout).toBe("Forked to 0199: Tide clock.\n");
    expect(JSON.parse((await runFake(["fork", "/a.jsonl", "--json"], { answers })).stdout)).toEqual(
      answers.fork_session,
    );
  });
});
