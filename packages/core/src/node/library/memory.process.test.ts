import { expect, it } from "vitest";
import { SessionText, searchFor, TestHome, treeOf, until, untilIndexed } from "./library.fixture.ts";
import type { Library } from "./library.ts";

const SESSIONS = 12;
const ENTRIES = 50;

/** Asks for everything that caches something. */
async function ask(library: Library, paths: readonly string[]): Promise<void> {
  await Promise.all([
    library.search(searchFor("quokka")),
    library.search(searchFor("~okk")),
    library.statistics(),
    library.list({ sort: "cost", query: "question" }),
    ...paths.flatMap((path) => [
      library.readEntries({ path }),
      library.export({ path, format: "html" }),
      treeOf(library, path),
    ]),
  ]);
}

it("the same requests again and again take no more threads, and no more of caches", { timeout: 60_000 }, async () => {
  await using home = await TestHome.create();
  const library = await home.open();
  const paths: string[] = [];
  for (let n = 0; n < SESSIONS; n++) {
    const session = new SessionText();
    for (let entry = 0; entry < ENTRIES; entry++) session.user(`question ${entry} of the quokka`);
    paths.push(await home.write(`p/${n}.jsonl`, session.lines));
  }
  await untilIndexed(library);
  await ask(library, paths);
  const { caches, threads, cacheBudget } = library.memory;
  expect(caches.text).toBeGreaterThan(0);
  expect(caches.pages).toBeGreaterThan(0);
  expect(caches.pages + caches.folds + caches.text).toBeLessThan(cacheBudget);
  for (let round = 0; round < 10; round++) await ask(library, paths);
  expect(library.memory).toEqual({ caches, threads, cacheBudget });
});

it("a session that grows is cached once, whatever it is appended", { timeout: 60_000 }, async () => {
  await using home = await TestHome.create();
  const library = await home.open();
  const session = new SessionText().user("question");
  const path = await home.write("p/a.jsonl", session.lines);
  await untilIndexed(library);
  expect(library.memory.caches.folds).toBe(0);
  const sizes: number[] = [];
  for (let append = 0; append < 3; append++) {
    const before = session.lines.length;
    session.user("again");
    await home.append(path, session.lines.slice(before));
    await until(async () => (await library.session(path)).message_count === append + 2);
    sizes.push(library.memory.caches.folds);
  }
  const [first = 0, , last = 0] = sizes;
  expect(first).toBeGreaterThan(0);
  // An entry takes its place in the outline, and nothing else is kept.
  expect(last - first).toBeLessThan(first);
});
