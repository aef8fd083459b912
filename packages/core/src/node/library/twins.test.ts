import { readFile, rename, unlink } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { LIST, SessionText, scanAll, searchFor, TestHome, untilIndexed } from "./library.fixture.ts";

/** Two files of one session id, as the agent wrote them before 1.5.0; both are marked, each otherwise. */
async function twins(home: TestHome) {
  const first = await home.write("p/s.jsonl", new SessionText({ id: "twin" }).user("okapi one").lines);
  const second = await home.write("p/s-1.jsonl", new SessionText({ id: "twin" }).user("okapi two").lines);
  const library = await home.open({ watch: false });
  await untilIndexed(library);
  const tag = await library.tags.create({ name: "second", color: "#336699", parent_id: null });
  await library.toggleFavorite(first);
  await library.tags.assign([second], tag.id);
  const marks = async () =>
    Object.fromEntries(
      (await scanAll(library)).map(({ path, is_favorite, tag_ids }) => [path, [is_favorite, tag_ids.length]]),
    );
  return { first, second, library, marks };
}

it("twins are listed, read and found, each by itself", async () => {
  await using home = await TestHome.create();
  const { first, second, library, marks } = await twins(home);
  const { sessions } = await library.list(LIST);
  expect(sessions.map(({ id, path }) => [id, path]).sort()).toEqual(
    [
      ["twin", first],
      ["twin", second],
    ].sort(),
  );
  expect(await marks()).toEqual({ [first]: [true, 0], [second]: [false, 1] });
  const { hits } = await library.search(searchFor("okapi"));
  expect(hits.map(({ session_path }) => session_path).sort()).toEqual([first, second].sort());
  for (const path of [first, second]) {
    const { entries } = await library.readEntries({ path, limit: 10 });
    const [entry] = (await readFile(path, "utf8")).split("\n").slice(1);
    expect(entries).toEqual([JSON.parse(entry ?? "")]);
  }
});

it("a name, an agent at work and the end of one twin are not the other's", async () => {
  await using home = await TestHome.create();
  const { first, second, library, marks } = await twins(home);
  const text = await readFile(second, "utf8");
  library.setLivePaths(new Set([first]), { rename: async () => undefined, stop: async () => undefined });
  await library.rename(first, "named");
  await library.rename(second, "other");
  library.setLivePaths(new Set(), { rename: async () => undefined, stop: async () => undefined });
  expect((await readFile(second, "utf8")).startsWith(text)).toBe(true);
  expect(await readFile(first, "utf8")).not.toContain('"other"');
  await library.delete(first, { force: false });
  expect(await marks()).toEqual({ [second]: [false, 1] });
});

it("what one twin was marked with does not go to the other when its file goes away", async () => {
  await using home = await TestHome.create();
  const { first, second, library, marks } = await twins(home);
  const text = await readFile(first);
  await unlink(first);
  expect(await marks()).toEqual({ [second]: [false, 1] });
  expect(await library.favorites()).toEqual([]);
  await home.write("p/s.jsonl", text);
  expect(await marks()).toEqual({ [first]: [true, 0], [second]: [false, 1] });
});

it("marks follow twins that are moved together, each its own", async () => {
  await using home = await TestHome.create();
  const { first, second, marks } = await twins(home);
  await home.write("x/other.jsonl", new SessionText().user("there").lines);
  const [to, toSecond] = [join(home.sessions, "x", "s.jsonl"), join(home.sessions, "x", "s-1.jsonl")];
  await rename(second, toSecond);
  expect(await marks()).toMatchObject({ [first]: [true, 0], [toSecond]: [false, 1] });
  await rename(first, to);
  expect(await marks()).toMatchObject({ [to]: [true, 0], [toSecond]: [false, 1] });
});
