import { unlink } from "node:fs/promises";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { AppError } from "../../errors.ts";
import { anyLine } from "../../session/any-line.fixture.ts";
import { EXPORT, jsonl, scanAll, searchFor, TestHome, treeOf, untilIndexed } from "./library.fixture.ts";
import type { Library } from "./library.ts";

const SECONDS = 1000;
const LIMIT = { interruptAfterTimeLimit: 6 * SECONDS, markInterruptAsFailure: false };

let home: TestHome;
let library: Library;
beforeAll(async () => {
  home = await TestHome.create();
  library = await home.open();
});
afterAll(() => home[Symbol.asyncDispose]());

let lastFile = 0;

/** Reads a file in every way that there is; an answer may say what is wrong, but nothing else may be thrown. */
async function readInEveryWay(path: string): Promise<void> {
  const choice = { ...EXPORT, path };
  const answers = await Promise.allSettled([
    library.readText(path),
    treeOf(library, path),
    library.readEntries({ path, limit: 10 }),
    library.export({ ...choice, format: "json" }),
    library.export({ ...choice, format: "markdown" }),
    library.export({ ...choice, format: "html" }),
    library.search(searchFor("a* -zzz")),
    library.search(searchFor("hello", { sort: "newest" })),
  ]);
  for (const answer of answers) {
    if (answer.status === "fulfilled") continue;
    if (!(answer.reason instanceof AppError) || answer.reason.code !== "NOT_FOUND") throw answer.reason;
  }
}

async function scanned(content: string | Uint8Array): Promise<string> {
  const path = await home.write(`p/${++lastFile}.jsonl`, content);
  await library.scan();
  return path;
}

describe("whatever a file holds", () => {
  const bytes = fc.uint8Array({ maxLength: 300 });
  const piece = fc.oneof(
    bytes,
    anyLine.map((object) => Buffer.from(JSON.stringify(object))),
    fc
      .constantFrom("\n", "\r\n", "\0", "\ufeff", '{"type":"message","message":{"role":"user"', "}")
      .map((text) => Buffer.from(text)),
  );

  it("it is read without failing, and the index goes on", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 20 }), async (pieces) => {
        const path = await scanned(Buffer.concat(pieces.flatMap((one) => [one, Buffer.from("\n")])));
        await readInEveryWay(path);
        if (lastFile % 5 === 0) await unlink(path);
      }),
      { numRuns: 150, ...LIMIT },
    );
    await untilIndexed(library);
    expect(library.status()).toMatchObject({ state: "ready", reason: null });
    expect(home.log.filter((entry) => entry.level !== "info")).toEqual([]);
  });
});

describe("whatever the lines of a session", () => {
  it("its record, tree and branches agree, and every walk ends", async () => {
    const header = { type: "session", version: 3, id: "s", timestamp: "2026-03-01T10:00:00.000Z" };
    await fc.assert(
      fc.asyncProperty(fc.boolean(), fc.array(anyLine, { minLength: 1, maxLength: 15 }), async (hasHeader, lines) => {
        const path = await scanned(jsonl(hasHeader ? [header, ...lines] : lines));
        const record = (await scanAll(library)).find((candidate) => candidate.path === path);
        if (record === undefined) {
          expect(hasHeader).toBe(false);
          return;
        }
        const tree = await treeOf(library, path);
        const parents = new Map(tree.map((entry) => [entry.id, entry.parent_id]));
        expect(parents.size).toBe(tree.length);
        for (const entry of tree) {
          const branch: string[] = [];
          for (let at: string | null = entry.id; at !== null; at = parents.get(at) ?? null) {
            expect(parents.has(at)).toBe(true);
            expect(branch.length).toBeLessThan(tree.length);
            branch.unshift(at);
          }
          const page = library.readEntries({ path, leaf_id: entry.id, limit: 100 });
          if (entry.id.length > 256) {
            await expect(page).rejects.toMatchObject({ code: "INVALID_PAYLOAD" });
            continue;
          }
          expect(await page).toMatchObject({ leaf_id: entry.id, total: branch.length, has_more_before: false });
          expect((await page).entries).toHaveLength(branch.length);
        }
        const newest = await library.readEntries({ path, limit: 100 });
        expect(newest.leaf_id).toBe(tree.at(-1)?.id ?? null);
        expect(newest.leaves).toHaveLength(record.branch_count);
        expect(new Set(newest.leaves).size).toBe(record.branch_count);
        expect(record.message_count).toBe(tree.filter((entry) => entry.type === "message").length);
        expect(record.user_message_count).toBe(tree.filter((entry) => entry.role === "user").length);
        await readInEveryWay(path);
        await unlink(path);
      }),
      { numRuns: 120, ...LIMIT },
    );
  });

  it("appending them one by one comes to the same as reading them at once", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyLine, { minLength: 2, maxLength: 8 }), async (lines) => {
        const path = await scanned("");
        for (const one of lines) {
          await home.append(path, [one]);
          await library.scan();
        }
        const whole = await scanned(jsonl(lines));
        const records = await scanAll(library);
        const [grown, fresh] = [path, whole].map((wanted) => records.find((record) => record.path === wanted));
        const own = { path: "", id: "", capabilities: null, title: "", created_at: "", modified_at: "", indexed: true };
        expect(grown && { ...grown, ...own }).toEqual(fresh && { ...fresh, ...own });
        if (fresh !== undefined) expect(await treeOf(library, path)).toEqual(await treeOf(library, whole));
        await unlink(path);
        await unlink(whole);
      }),
      { numRuns: 40, ...LIMIT },
    );
  });
});
