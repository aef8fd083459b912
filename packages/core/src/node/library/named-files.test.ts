import { rm } from "node:fs/promises";
import { expect, it } from "vitest";
import { codeOf, SessionText, scanAll, TestHome, untilIndexed } from "./library.fixture.ts";

const calling = (...paths: string[]) => {
  const session = new SessionText().user("otter");
  for (const path of paths) {
    session.assistant("", [{ type: "toolCall", id: "c", name: "edit", arguments: { path, text: "apple" } }]);
  }
  return session.lines;
};

it("names of files in calls are found by how they begin, with the sessions that have them", async () => {
  await using home = await TestHome.create();
  const many = await home.write("a.jsonl", calling("/p/src/App.ts", "src/app.ts", "/p/src/api/apply.ts", "src/map.ts"));
  const other = await home.write("b.jsonl", calling("C:\\p\\lib\\app.ts", "docs/Apples.md", "apps/main.ts"));
  const gone = await home.write("c.jsonl", calling("src/apply.ts", "src/apply.ts", "src/apart.ts"));
  const library = await home.open({ watch: false });
  await untilIndexed(library);
  const found = async (prefix: string, limit?: number) =>
    Object.fromEntries((await library.namedFiles({ prefix, limit })).map((file) => [file.name, file.session_count]));

  expect(await found("ap")).toEqual({ "app.ts": 2, "apply.ts": 2, "apart.ts": 1, "apples.md": 1 });
  expect(Object.keys(await found("AP", 2))).toEqual(["app.ts", "apply.ts"]);
  expect(await found("app")).toEqual({ "app.ts": 2, "apply.ts": 2, "apples.md": 1 });
  expect(await found("src/ap")).toEqual({ "src/app.ts": 1, "src/apply.ts": 1, "src/apart.ts": 1 });
  expect(await found("lib\\")).toEqual({ "lib/app.ts": 1 });
  for (const nothing of ["otter", "zz", "//", "main.tsx"]) expect(await found(nothing)).toEqual({});
  // What is offered is found.
  for (const name of Object.keys(await found("src/ap"))) {
    expect((await library.search({ query: `file:${name}` })).total).toBeGreaterThan(0);
  }

  await library.setArchived([other], true);
  expect(await found("ap")).toEqual({ "apply.ts": 2, "app.ts": 1, "apart.ts": 1 });
  await rm(gone);
  await scanAll(library);
  expect(await found("ap")).toEqual({ "app.ts": 1, "apply.ts": 1 });
  expect(many).not.toBe(other);
  expect(await codeOf(library.namedFiles({ prefix: "a" }))).toBe("INVALID_PAYLOAD");
});
