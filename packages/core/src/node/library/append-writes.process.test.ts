import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { SessionText, searchFor, TestHome, until, untilIndexed } from "./library.fixture.ts";

const ENTRIES = 400;
const APPENDS = 16;
const KIBIBYTE = 1024;

/** Bytes of the write-ahead logs of the index, which grow by whatever is written to it. */
function logBytes(directory: string): number {
  return readdirSync(directory)
    .filter((name) => /^index.*-wal$/.test(name))
    .reduce((sum, name) => sum + statSync(join(directory, name)).size, 0);
}

it("a line that is appended takes a few pages of the index", { timeout: 60_000 }, async () => {
  await using home = await TestHome.create();
  const library = await home.open();
  const session = new SessionText();
  for (let entry = 0; entry < ENTRIES; entry++) session.user(`question ${entry} of the quokka`);
  const path = await home.write("p/a.jsonl", session.lines);
  await untilIndexed(library);
  const append = async (number: number) => {
    const before = session.lines.length;
    session.user(`again wombat${number}`);
    await home.append(path, session.lines.slice(before));
    await until(async () => (await library.search(searchFor(`wombat${number}`))).hits.length === 1);
  };
  await append(0);
  const before = logBytes(home.data);
  for (let number = 1; number <= APPENDS; number++) await append(number);
  const written = (logBytes(home.data) - before) / APPENDS / KIBIBYTE;
  // Eight pages of the catalog, three of a text database, and what merging every eighth segment takes.
  expect(written).toBeGreaterThan(8);
  expect(written).toBeLessThan(20);
});
