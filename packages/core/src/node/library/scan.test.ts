import { rename, unlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { SessionRecord } from "../../session/record.ts";
import { Listing } from "../catalog/listing.ts";
import { jsonl, SessionText, scanAll, TestHome } from "./library.fixture.ts";
import type { Library } from "./library.ts";
import type { SessionAgents } from "./live-files.ts";

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

describe("records that are taken", () => {
  let home: TestHome;
  let library: Library;
  /** The newest first. */
  let paths: string[];

  async function open(): Promise<void> {
    home = await TestHome.create();
    for (let n = 0; n < SESSIONS; n++) {
      // Fifty have the same time.
      const start = Date.parse("2026-03-01T10:00:00.000Z") + Math.floor(n / 50) * 60_000;
      await home.write(nameOf(n), new SessionText({}, start).user(`session ${n}`).lines);
    }
    library = await home.open({ watch: false });
    // What becomes searchable has changed.
    await library.ready();
    paths = (await scanAll(library)).map(({ path }) => path);
  }
  const close = () => home[Symbol.asyncDispose]();

  describe("while sessions stay as they are", () => {
    beforeAll(open);
    afterAll(close);

    it("are those of a list, in its order", async () => {
      expect(paths).toHaveLength(SESSIONS);
      const { sessions } = await library.list({ sort: "modified", order: "desc", limit: 500 });
      expect(paths).toEqual(sessions.map(({ path }) => path));
    });

    it("are read in the main thread only where they change after their page was made", async () => {
      const read = vi.spyOn(Listing.prototype, "some");
      try {
        await scanAll(library);
        expect(read).not.toHaveBeenCalled();
        const taking = await Taking.begin(library);
        // Of a page that was made before it is asked for.
        const path = paths[150] ?? "";
        await library.toggleFavorite(path);
        read.mockClear();
        expect(await taking.rest()).toEqual(paths);
        expect(read.mock.calls).toEqual([[[path]]]);
        expect(taking.taken.filter((record) => record.is_favorite).map((record) => record.path)).toEqual([path]);
        await library.toggleFavorite(path);
      } finally {
        read.mockRestore();
      }
    });

    it("need not be taken to the end", async () => {
      let count = 0;
      for await (const _ of await library.scan()) {
        count += 1;
        if (count === 3) break;
      }
      expect(await scanAll(library)).toHaveLength(SESSIONS);
    });

    it("are an empty array as JSON where there are none", async () => {
      await using other = await TestHome.create();
      const empty = await other.open({ watch: false });
      const pieces: Uint8Array[] = [];
      for await (const piece of await empty.scanJson()) pieces.push(piece);
      expect(Buffer.concat(pieces).toString()).toBe("[]");
    });

    it("have the marks of each session, and are the same as JSON", async () => {
      const [one = "", two = "", three = ""] = [paths[0], paths[150], paths[449]];
      const tag = await library.tags.create({ name: "work", color: "#cc3333" });
      await library.tags.assign([one, two], tag.id);
      await library.toggleFavorite(two);
      library.setLivePaths(new Set([two, three]), {} as SessionAgents);
      const records = await scanAll(library);
      const marks = { tag_ids: [], is_favorite: false, is_live: false };
      const expected = new Map([
        [one, { ...marks, tag_ids: [tag.id] }],
        [two, { tag_ids: [tag.id], is_favorite: true, is_live: true }],
        [three, { ...marks, is_live: true }],
      ]);
      for (const record of records) expect(record).toMatchObject(expected.get(record.path) ?? marks);
      const pieces: Uint8Array[] = [];
      for await (const piece of await library.scanJson()) pieces.push(piece);
      expect(Buffer.concat(pieces).toString()).toBe(JSON.stringify(records));
      const { sessions } = await library.list({ sort: "modified", order: "desc", limit: 500 });
      expect(JSON.stringify(sessions)).toBe(JSON.stringify(records));
    });
  });

  describe("while sessions change", () => {
    beforeEach(open);
    afterEach(close);

    const first = () => paths[0] ?? "";
    const last = () => paths.at(-1) ?? "";
    const newest = (text: string) =>
      jsonl(new SessionText({}, Date.parse("2027-01-01T00:00:00.000Z")).user(text).lines);

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
      // The one in the middle is of a page that was made already.
      const middle = paths[150] ?? "";
      for (const path of [first(), middle, last()]) await change(path);
      // Now they are the newest.
      expect(
        (await scanAll(library))
          .slice(0, 3)
          .map(({ path }) => path)
          .sort(),
      ).toEqual([first(), middle, last()].sort());
      expect(await taking.rest()).toEqual(paths);
      for (const record of [taking.taken[150], taking.taken.at(-1)]) expect(record?.modified_at).toMatch(/^2027-/);
    });

    it("leave out what is gone, and nothing else", async () => {
      const taking = await Taking.begin(library);
      await unlink(last());
      await unlink(paths[150] ?? "");
      await home.write("p/added.jsonl", newest("added"));
      await library.scan();
      expect(await taking.rest()).toEqual(paths.slice(0, -1).filter((_, n) => n !== 150));
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
});
