import { rm } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { SessionText, TestHome } from "../library/library.fixture.ts";
import { Catalog } from "./catalog.ts";
import { openCatalog, prepareIndex } from "./index-databases.ts";
import { LookAhead, walk } from "./walk.ts";

let home: TestHome;
let catalog: Catalog;
let ahead: LookAhead;
beforeEach(async () => {
  home = await TestHome.create();
  catalog = new Catalog(openCatalog(prepareIndex(home.data, 1).place));
  ahead = new LookAhead();
  for (const name of ["old", "gone"]) await home.write(`p/${name}.jsonl`, new SessionText().user(name).lines);
});
afterEach(async () => {
  vi.restoreAllMocks();
  catalog.close();
  await home[Symbol.asyncDispose]();
});

const found = () =>
  walk({ directories: [home.sessions], missing: [], now: Date.now() }, catalog, ahead)
    .changed.map(({ path }) => path.replace(/^.*\/|\.jsonl$/g, ""))
    .sort();

async function changeFiles(): Promise<void> {
  await home.write("p/new.jsonl", new SessionText().user("new").lines);
  await rm(join(home.sessions, "p/gone.jsonl"));
}

describe("what was seen of a directory ahead of a comparison", () => {
  it("is compared once, and then what is there", async () => {
    ahead.look([home.sessions]);
    await changeFiles();
    expect([found(), found()]).toEqual([
      ["gone", "old"],
      ["new", "old"],
    ]);
  });

  it.each<[what: string, before: () => void]>([
    ["is too old", () => ahead.look([home.sessions])],
    ["is of another directory", () => ahead.look([home.data])],
  ])("is not compared where it %s", async (what, look) => {
    look();
    if (what === "is too old") vi.spyOn(performance, "now").mockReturnValue(performance.now() + 1_000);
    await changeFiles();
    expect(found()).toEqual(["new", "old"]);
  });

  it("may be nothing at all", () => {
    const missing = join(home.data, "missing");
    ahead.look([missing]);
    const { changed, problems } = walk({ directories: [missing], missing: [], now: Date.now() }, catalog, ahead);
    expect({ changed, problems }).toEqual({ changed: [], problems: [] });
  });
});

it("looks into folders of subagents, and not into those that hold no sessions", async () => {
  const { lines } = new SessionText().user("words");
  const inside = ["p/s/subagents/agent.jsonl", "memory/kept.jsonl", "p/memory/notes.jsonl", "p/s/memory/deep.jsonl"];
  const ignored = ["tool-results", "transcripts", "subagent-artifacts", "node_modules"];
  for (const name of [...inside, ...ignored.map((folder) => `p/s/${folder}/other.jsonl`)]) {
    await home.write(name, lines);
  }
  expect(found()).toEqual(["agent", "deep", "gone", "kept", "old"]);
});
