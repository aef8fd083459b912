import { unlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { SearchHit } from "../library.ts";
import type { SessionRecord } from "../session/record.ts";
import { jsonl, SessionText, searchAll, searchFor, TestHome, untilIndexed } from "./library.fixture.ts";
import type { Library } from "./library.ts";
import { LibraryChildren } from "./library-child.fixture.ts";

const ROUNDS = 10;
const QUERIES = [
  "common",
  "rare7",
  "rare1*",
  '"common text"',
  "common -rare3",
  "role:assistant answer",
  "label",
  "round*",
];

function text(number: number, round: number): string {
  const session = new SessionText({ id: `session-${number}` }).user(`common text rare${number % 20} round${round}`);
  const user = session.leaf;
  for (let n = 0; n < 20; n++) session.assistant(`answer ${n} ${"lorem ipsum dolor ".repeat(20)}`);
  return jsonl(session.label(user, `label ${round}`).lines);
}

/** Everything that a search tells and that does not depend on how the index came about. */
async function foundBy(library: Library): Promise<Map<string, unknown[]>> {
  const found = new Map<string, unknown[]>();
  const key = (hit: SearchHit) => `${hit.session_path} ${hit.entry_id} ${hit.kind}`;
  for (const query of QUERIES) {
    const options = searchFor(query, { limit: 200, per_session: 200, sort: "newest" });
    const hits = (await searchAll(library, options)).sort((a, b) => (key(a) < key(b) ? -1 : 1));
    const { total } = await library.search(options);
    found.set(query, [total, ...hits.map(({ score: _, ...hit }) => hit)]);
  }
  return found;
}

describe("a process that is killed while it indexes", () => {
  it("leaves an index that comes to the same as a fresh one", { timeout: 60_000 }, async () => {
    await using home = await TestHome.create();
    await using children = await LibraryChildren.create();
    const paths: string[] = [];
    for (let n = 0; n < 250; n++) paths.push(await home.write(`p/${n}.jsonl`, text(n, 0)));
    let killed = 0;
    for (let round = 1; round <= ROUNDS; round++) {
      const child = children.start(home.options, [["untilIndexed"], ["untilIndexed"]]);
      // Opened: from here on it scans and indexes.
      await child.hasPrinted(1);
      await delay(Math.random() * 40 * round);
      child.process.kill("SIGKILL");
      if ((await child.ended).code === null) killed++;
      for (const [n, path] of paths.entries()) {
        if (n % 37 === round) await unlink(path).catch(() => undefined);
        else if (n % 23 === round) await writeFile(path, text(n, round));
        else if (n % 29 === round)
          await home.append(path, new SessionText().user(`common text round${round}`).lines.slice(-1));
      }
      await home.write(`p/new-${round}.jsonl`, text(round, round));
    }
    expect(killed).toBeGreaterThan(ROUNDS / 2);

    const library = await home.open();
    await untilIndexed(library);
    const fresh = await home.open({ dataDir: join(home.directory, "fresh") });
    await untilIndexed(fresh);
    const byPath = (records: SessionRecord[]) => records.sort((a, b) => (a.path < b.path ? -1 : 1));
    expect(byPath(await library.scan())).toEqual(byPath(await fresh.scan()));
    const expected = await foundBy(fresh);
    expect([...expected.values()].every((hits) => hits.length > 1)).toBe(true);
    expect(await foundBy(library)).toEqual(expected);
    expect(home.log.filter((line) => line.level !== "info")).toEqual([]);
  });
});
