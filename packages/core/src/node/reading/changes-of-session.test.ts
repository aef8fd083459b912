import { afterEach, beforeEach, expect, it } from "vitest";
import { codeOf, SessionText, TestHome } from "../library/library.fixture.ts";
import { work } from "../session-file/work.ts";
import { CurrentTask, noneUnwanted } from "../threads/unwanted.ts";
import { SessionReader } from "./reader.ts";

let home: TestHome;
beforeEach(async () => {
  home = await TestHome.create();
});
afterEach(() => home[Symbol.asyncDispose]());

let calls = 0;

/** Adds a call of a tool and its result. */
function call(session: SessionText, name: string, args: object, result = "done"): SessionText {
  calls += 1;
  const id = `call${calls}`;
  session.message({ role: "assistant", content: [{ type: "toolCall", id, name, arguments: args }] });
  const content = [{ type: "text", text: result }];
  return session.message({ role: "toolResult", toolCallId: id, toolName: name, content, isError: false });
}

const changes = (path: string, more = {}) =>
  new SessionReader().changes({ path, ...more }, new CurrentTask(noneUnwanted(), 1));

it("a branch has the changes that were made on it", async () => {
  const session = call(new SessionText().user("go"), "write", { path: "/p/a.txt", content: "one\n" });
  const fork = session.leaf;
  call(session, "edit", { path: "/p/a.txt", oldText: "one", newText: "two" });
  const left = session.leaf;
  call(session.from(fork), "write", { path: "/p/b.txt", content: "b\n" });
  const path = await home.write("p/a.jsonl", session.lines);
  expect(changes(path).files.map(({ path: of, diff }) => [of, diff])).toEqual([
    ["/p/a.txt", "@@ -0,0 +1,1 @@\n+one\n"],
    ["/p/b.txt", "@@ -0,0 +1,1 @@\n+b\n"],
  ]);
  expect(changes(path, { leaf_id: left })).toMatchObject({
    files: [{ path: "/p/a.txt", diff: "@@ -0,0 +1,1 @@\n+two\n", edits: [{}, {}] }],
    leaf_id: left,
    complete: true,
  });
});

it("other calls and their results are not parsed", async () => {
  const session = new SessionText().user("go");
  for (let n = 0; n < 100; n++) call(session, "read", { path: "/p/a.txt", query: "edit" }, "x".repeat(10_000));
  call(session, "write", { path: "/p/a.txt", content: "one\n" });
  const path = await home.write("p/a.jsonl", session.lines);
  const before = work.linesParsed;
  expect(changes(path).files).toHaveLength(1);
  // The header, the call, and its result.
  expect(work.linesParsed - before).toBeLessThanOrEqual(3);
});

it("a call is found however its line is written", async () => {
  const session = call(new SessionText().user("go"), "Write_File", { path: "/p/a.txt", content: "one\n" });
  call(session, "create", { path: "/p/b.txt", content: "two\n" });
  call(session, "bash", {
    command: "apply_patch <<'X'\n*** Begin Patch\n*** Add File: /p/c.txt\n+three\n*** End Patch\nX",
  });
  const lines = session.lines.map((line) => JSON.stringify(line)).join("\n");
  const written = lines
    .replace('"name":"Write_File"', '"name" : "Write_File"')
    .replace('"name":"create"', '"name":"\\u0063reate"');
  const path = await home.write("p/a.jsonl", written);
  expect(changes(path).files.map(({ path: of }) => of)).toEqual(["/p/a.txt", "/p/b.txt", "/p/c.txt"]);
});

it("changes by an entry that is not read whole are said to be missing", async () => {
  const session = call(new SessionText().user("go"), "write", { path: "/p/a.txt", content: "one\n" });
  call(session, "write", { path: "/p/b.txt", content: "x".repeat(9 * 1024 * 1024) });
  const path = await home.write("p/a.jsonl", session.lines);
  expect(changes(path)).toMatchObject({ files: [{ path: "/p/a.txt" }], complete: false });
});

it("a file that is none has none", async () => {
  const path = await home.write("p/none.jsonl", []);
  expect(await codeOf(Promise.resolve().then(() => changes(path)))).toBe("NOT_FOUND");
});
