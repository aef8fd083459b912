import { rename, unlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import type { SessionRecord } from "../../session/record.ts";
import { jsonl, SessionText, scanAll, TestHome } from "./library.fixture.ts";
import type { Library } from "./library.ts";

/** More than is read at once, several times. */
const SESSIONS = 450;

const nameOf = (number: number) => join("p", `${String(number).padStart(4, "0")}.jsonl`);

/** Takes records one by one; the first are taken, the others are still to be read. */
class Taking {
  readonly taken: SessionRecord[] = [];
  readonly #records: AsyncIterator<SessionRecord>;

  private constructor(records: AsyncIterable<SessionRecord>) {
    this.#records = records[Symbol.asyncIterator]();
  }

  static async begin(library: Library): Promise<Taking> {
    const taking = new Taking(await library.scan());
    await taking.#next();
    return taking;
  }

  async #next(): Promise<boolean> {
    const { done, value } = await this.#records.next();
    if (!done) this.taken.push(value);
    return !done;
  }

  /** Takes the others, and gives the paths of all in their order. */
  async rest(): Promise<string[]> {
    while (await this.#next());
    return this.taken.map(({ path }) => path);
  }
}

describe("records that are taken while sessions change", () => {
  let home: TestHome;
  let library: Library;
  /** The newest first. */
  let paths: string[];

  beforeEach(async () => {
    home = await TestHome.create();
    for (let n = 0; n < SESSIONS; n++) {
      // Fifty have the same time.
      const start = Date.parse("2026-03-01T10:00:00.000Z") + Math.floor(n / 50) * 60_000;
      await home.write(nameOf(n), new SessionText({}, start).user(`session ${n}`).lines);
    }
    library = await home.open({ watch: false });
    paths = (await scanAll(library)).map(({ path }) => path);
    return () => home[Symbol.asyncDispose]();
  });

  const first = () => paths[0] ?? "";
  const last = () => paths.at(-1) ?? "";
  const newest = (text: string) => jsonl(new SessionText({}, Date.parse("2027-01-01T00:00:00.000Z")).user(text).lines);

  it("are those of a list, in its order", async () => {
    expect(paths).toHaveLength(SESSIONS);
    const { sessions } = await library.list({ sort: "modified", order: "desc", limit: 500 });
    expect(paths).toEqual(sessions.map(({ path }) => path));
  });

  it.each<[string, (path: string) => Promise<unknown>]>([
    [
      "has grown",
      (path) => home.append(path, [new SessionText({}, Date.parse("2027-01-01")).user("more").lines.at(-1) ?? {}]),
    ],
    ["was written anew", (path) => writeFile(path, newest("anew"))],
    [
      "was replaced",
      async (path) => {
        await writeFile(`${path}.new`, newest("anew"));
        await rename(`${path}.new`, path);
      },
    ],
  ])("have each session once, also one that %s, as it is then", async (_case, change) => {
    const taking = await Taking.begin(library);
    await change(first());
    await change(last());
    // Now both are the newest.
    expect(
      (await scanAll(library))
        .slice(0, 2)
        .map(({ path }) => path)
        .sort(),
    ).toEqual([first(), last()].sort());
    expect(await taking.rest()).toEqual(paths);
    expect(taking.taken.at(-1)?.modified_at).toMatch(/^2027-/);
  });

  it("leave out what is gone, and nothing else", async () => {
    const taking = await Taking.begin(library);
    await unlink(last());
    await home.write("p/added.jsonl", newest("added"));
    await library.scan();
    expect(await taking.rest()).toEqual(paths.slice(0, -1));
  });

  it("need not be taken to the end", async () => {
    let count = 0;
    for await (const _ of await library.scan()) {
      count += 1;
      if (count === 3) break;
    }
    expect(await scanAll(library)).toHaveLength(SESSIONS);
  });

  it("break off where the index is lost, rather than look complete", async () => {
    const taking = await Taking.begin(library);
    for (const file of ["index.db", "index.db-wal", "index.db-shm"])
      await unlink(join(home.data, file)).catch(() => {});
    await library.scan();
    await expect(taking.rest()).rejects.toMatchObject({ code: "UNAVAILABLE" });
    expect(await scanAll(library)).toHaveLength(SESSIONS);
  });
});
