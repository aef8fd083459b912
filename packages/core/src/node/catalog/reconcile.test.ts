import { cp, readdir, rename, rm, unlink } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { SessionText, searchFor, TestHome, untilIndexed } from "../library/library.fixture.ts";
import { openDatabase } from "../storage/sqlite.ts";
import { dumpIndex } from "./index-dump.fixture.ts";

const session = (id: string, text: string) => new SessionText({ id }).user(`${text} one`).assistant(`${text} two`);

/** Opens the library until all is indexed, and closes it. */
async function index(home: TestHome, dataDir = home.data): Promise<void> {
  const library = await home.open({ dataDir });
  await untilIndexed(library);
  await home.close(library);
}

/** What happens between the two ages. */
async function change(home: TestHome): Promise<void> {
  await home.append(join(home.sessions, "p/grown.jsonl"), session("grown", "later").lines.slice(-2));
  await home.write("p/rewritten.jsonl", session("rewritten", "replaced").lines);
  await unlink(join(home.sessions, "p/gone.jsonl"));
  await rename(join(home.sessions, "p/moved.jsonl"), join(home.sessions, "p/elsewhere.jsonl"));
  for (let n = 0; n < 3; n++) await home.write(`p/added-${n}.jsonl`, session(`added-${n}`, `new${n}`).lines);
}

async function isSameAsFresh(home: TestHome): Promise<void> {
  const fresh = join(home.directory, "fresh");
  await index(home, fresh);
  const own = dumpIndex(home.data);
  const expected = dumpIndex(fresh);
  expect(own.files).toEqual(expected.files);
  expect(own.documents).toEqual(expected.documents);
}

const isCatalog = (name: string) => name.startsWith("index.db");
const isText = (name: string) => name.startsWith("index-text-");

describe("databases of different ages", () => {
  it.each([
    ["an older catalog", isCatalog],
    ["older texts", isText],
    ["the oldest text", (name: string) => name.startsWith("index-text-0")],
  ])("come to the same as a fresh index: %s", async (_, isOlder) => {
    await using home = await TestHome.create();
    for (const name of ["same", "grown", "rewritten", "gone", "moved"]) {
      await home.write(`p/${name}.jsonl`, session(name, name).lines);
    }
    await index(home);
    const older = join(home.directory, "older");
    await cp(home.data, older, { recursive: true });
    await change(home);
    await index(home);
    for (const name of (await readdir(older)).filter(isOlder)) {
      await rm(join(home.data, name), { force: true });
      await cp(join(older, name), join(home.data, name));
    }
    // Read before all others, it would get the key of one that the catalog does not know any more.
    await home.write("p/late.jsonl", session("late", "late").lines);
    await index(home);
    await isSameAsFresh(home);
  });

  it("give no key of a text that is gone to another one", async () => {
    await using home = await TestHome.create();
    await home.write("p/first.jsonl", session("first", "wombat").lines);
    await index(home);
    await cp(home.data, join(home.directory, "older"), { recursive: true });
    const path = await home.write("p/second.jsonl", session("second", "numbat").lines);
    await index(home);
    await unlink(path);
    await index(home);
    await cp(join(home.directory, "older", "index.db"), join(home.data, "index.db"));
    await home.write("p/third.jsonl", session("third", "dunnart").lines);
    const library = await home.open();
    await untilIndexed(library);
    expect((await library.search(searchFor("numbat"))).total).toBe(0);
    expect((await library.search(searchFor("dunnart"))).total).toBe(2);
  });

  it("are not looked for again where none differs", async () => {
    await using home = await TestHome.create();
    await home.write("p/first.jsonl", session("first", "wombat").lines);
    await index(home);
    const catalog = openDatabase(join(home.data, "index.db"), { durability: "normal", queryOnly: true });
    const version = () => catalog.pragma("data_version", { simple: true });
    const before = version();
    const library = await home.open({ watch: false });
    await untilIndexed(library);
    expect(version()).toBe(before);
    catalog.close();
  });
});
