import { readdir, rename, unlink } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, it } from "vitest";
import { dumpIndex } from "../catalog/index-dump.fixture.ts";
import { jsonl, SessionText, TestHome, untilIndexed } from "./library.fixture.ts";
import { LibraryChildren, type Step } from "./library-child.fixture.ts";

/** Each line has its own home and is killed so often. */
const LINES = [1, 2, 3, 4];
const KILLS = Math.ceil(25 * Number(process.env.SESSION_MANAGER_TEST_SCALE ?? 1));
const SESSIONS = 40;
/** It lives on for so long at most, in turn after its start, its opening and its first records, when text is indexed. */
const LIVES_MS = [150, 100, 60, 60];
/** More than it has time for. */
const STEPS = [["scan"], ...Array.from({ length: 1000 }, () => ["untilIndexed"])] as Step[];

/** Numbers from 0 up to 1 that follow from a seed (mulberry32). */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function sessionText(number: number, round: number): SessionText {
  const session = new SessionText({ id: `session-${number}-${round}` }).user(`common text rare${number} round${round}`);
  const user = session.leaf;
  for (let n = 0; n < 8; n++) {
    session.assistant(`answer ${n} getUserName ${"lorem ipsum dolor ".repeat(10 * (1 + (number % 9)))}`, [
      { type: "toolCall", id: "call", name: "read", arguments: { path: `src/file-${n}.ts` } },
    ]);
    session.toolResult(`result ${n} `.repeat(60));
  }
  return session.label(user, `label ${round}`).entry({ type: "session_info", name: `name ${round}` });
}

/** What agents and people do to sessions all the time. */
async function changeFiles(home: TestHome, round: number, random: () => number): Promise<void> {
  const folder = join(home.sessions, "p");
  const paths = (await readdir(folder)).sort().map((name) => join(folder, name));
  const any = () => paths[Math.floor(random() * paths.length)] ?? "";
  const added = () => sessionText(round, round).lines;
  for (let n = 0; n < 8; n++) await home.append(any(), added().slice(-1 - Math.floor(random() * 6)));
  await home.write(`p/${any().split("/").at(-1)}`, jsonl(sessionText(round, round + 1000).lines));
  await home.write(`p/new-${round}.jsonl`, added());
  await rename(any(), join(folder, `moved-${round}.jsonl`));
  if (paths.length > SESSIONS) await unlink(any()).catch(() => undefined);
}

it("an index whose process is killed at any time comes to the same as a fresh one", { timeout: 600_000 }, async () => {
  await using children = await LibraryChildren.create();
  const runs = LINES.map(async (seed) => {
    const random = randomNumbers(seed);
    await using home = await TestHome.create();
    for (let n = 0; n < SESSIONS; n++) await home.write(`p/${n}.jsonl`, sessionText(n, 0).lines);
    for (let round = 1; round <= KILLS; round++) {
      for (let n = 0; n < 12; n++) await home.write(`p/${n}.jsonl`, sessionText(n, round).lines);
      const child = children.start(home.options, STEPS);
      const kind = round % LIVES_MS.length;
      await child.hasPrinted(Math.min(2, kind));
      const life = delay(random() * (LIVES_MS[kind] ?? 0));
      await changeFiles(home, round, random);
      await life;
      child.process.kill("SIGKILL");
      expect(await child.ended).toMatchObject({ code: null, stderr: "" });
    }
    for (const dataDir of [home.data, join(home.directory, "fresh")]) {
      const library = await home.open({ dataDir });
      await untilIndexed(library);
      await home.close(library);
    }
    const { files, documents, identifiers } = dumpIndex(home.data);
    const fresh = dumpIndex(join(home.directory, "fresh"));
    expect(files).toEqual(fresh.files);
    expect(documents).toEqual(fresh.documents);
    // Those of texts that are gone stay until a merge.
    expect([...fresh.identifiers].filter((identifier) => !identifiers.has(identifier))).toEqual([]);
    expect(fresh.documents.length).toBeGreaterThan(SESSIONS * 20);
    expect(home.log.filter((line) => line.level !== "info")).toEqual([]);
  });
  await Promise.all(runs);
});
