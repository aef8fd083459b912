import { appendFile, stat } from "node:fs/promises";
import { afterEach, describe, expect, it, vi } from "vitest";
import { Outline } from "../../session/outline.ts";
import { Catalog } from "../catalog/catalog.ts";
import { openCatalog, prepareIndex } from "../catalog/index-databases.ts";
import { jsonl, SessionText, TestHome } from "../library/library.fixture.ts";
import { stampOf } from "../session-file/file-stamp.ts";
import { work } from "../session-file/work.ts";
import { scanFiles } from "./scanner.ts";

const ENTRIES = 20_000;

/** A long session, known to a catalog. */
class GrowingSession {
  readonly path: string;
  readonly #home: TestHome;
  readonly #text: SessionText;
  readonly #catalogs: Catalog[] = [];

  private constructor(home: TestHome, path: string, text: SessionText) {
    this.#home = home;
    this.path = path;
    this.#text = text;
  }

  static async create(): Promise<GrowingSession> {
    const home = await TestHome.create();
    const text = new SessionText();
    for (let n = 0; n < ENTRIES; n++) text.user(`message ${n}`);
    return new GrowingSession(home, await home.write("p/a.jsonl", text.lines), text);
  }

  /** As another thread opens it. */
  catalog(): Catalog {
    const catalog = new Catalog(openCatalog(prepareIndex(this.#home.data, 1).place));
    this.#catalogs.push(catalog);
    return catalog;
  }

  async scan(catalog: Catalog): Promise<void> {
    scanFiles([{ path: this.path, stamp: stampOf(await stat(this.path)), shard: 0 }], catalog);
  }

  /** Appends a line and reads it; answers with what that has cost. */
  async append(catalog: Catalog): Promise<{ rows: number; bytes: number; outlinesDecoded: number }> {
    await appendFile(this.path, jsonl(this.#text.user("one more").lines.slice(-1)));
    const decode = vi.spyOn(Outline, "decode");
    const before = { ...work };
    await this.scan(catalog);
    const outlinesDecoded = decode.mock.calls.length;
    decode.mockRestore();
    const { rowsWritten, bytesRead } = work;
    return { rows: rowsWritten - before.rowsWritten, bytes: bytesRead - before.bytesRead, outlinesDecoded };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const catalog of this.#catalogs) catalog.close();
    await this.#home[Symbol.asyncDispose]();
  }
}

describe("a line appended to a long session", () => {
  afterEach(() => vi.restoreAllMocks());

  it("costs the same whatever the length of the session, and its outline is decoded once", async () => {
    await using session = await GrowingSession.create();
    const catalog = session.catalog();
    await session.scan(catalog);
    for (let append = 0; append < 5; append++) {
      const { rows, bytes, outlinesDecoded } = await session.append(catalog);
      // The file, its summary and the last chunks of its outline and its activity.
      expect(rows).toBe(4);
      expect(bytes).toBeLessThan(2_048);
      expect(outlinesDecoded).toBe(append === 0 ? 1 : 0);
    }
  });

  it("is seen by whoever has kept what was before", async () => {
    await using session = await GrowingSession.create();
    const [one, other] = [session.catalog(), session.catalog()];
    await session.scan(one);
    for (const catalog of [one, one, other, one, other, other]) await session.append(catalog);
    const known = one.find(session.path);
    expect(known?.entryCount).toBe(ENTRIES + 6);
    expect(other.find(session.path)).toEqual(known);
    const kept = one.outline(known?.key ?? 0);
    expect(kept.count).toBe(ENTRIES + 6);
    expect([...kept.parents()]).toEqual(Array.from({ length: ENTRIES + 6 }, (_, ordinal) => ordinal - 1));
  });

  it("is kept by the next append where its transaction failed", async () => {
    await using session = await GrowingSession.create();
    const catalog = session.catalog();
    await session.scan(catalog);
    await session.append(catalog);
    vi.spyOn(catalog, "write").mockImplementationOnce((write) => {
      vi.restoreAllMocks();
      return catalog.write(() => {
        write();
        throw new Error("The disk is full.");
      });
    });
    await expect(session.append(catalog)).rejects.toThrow("The disk is full.");
    expect(catalog.find(session.path)?.entryCount).toBe(ENTRIES + 1);
    await session.append(catalog);
    const known = catalog.find(session.path);
    expect(known?.entryCount).toBe(ENTRIES + 3);
    expect(catalog.outline(known?.key ?? 0).count).toBe(ENTRIES + 3);
  });
});
