import { piItem, type TranscriptItem, type TranscriptPage } from "@sm/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BranchPages } from "./branch-pages.ts";

interface Asked {
  leafId: string | null;
  limit: number;
}

/** A branch of `count` entries, as the service answers for it; an answer comes when the test lets it. */
function service(count: number, size = 10) {
  const ids = Array.from({ length: count }, (_, place) => `e${place}`);
  const asked: Asked[] = [];
  const waiting: (() => void)[] = [];
  let isBroken = false;
  const item = (place: number): TranscriptItem =>
    piItem(
      { type: "message", message: { role: "user", content: "x".repeat(size) } },
      { id: ids[place] ?? "", parentId: ids[place - 1] ?? null },
    );
  const page = ({ leafId, limit }: Asked): TranscriptPage => {
    const to = leafId === null ? ids.length : ids.indexOf(leafId) + 1;
    const from = Math.max(0, to - limit);
    return {
      items: ids.slice(from, to).map((_, at) => item(from + at)),
      entries: [],
      leaf_id: leafId,
      leaves: [],
      labels: {},
      total: to,
      has_more_before: from > 0,
      has_more_after: false,
      truncated_entries: [],
    };
  };
  return {
    ids,
    asked,
    item,
    breakDown: (broken: boolean) => {
      isBroken = broken;
    },
    load: async (request: Asked) => {
      asked.push(request);
      await new Promise<void>((resolve) => waiting.push(resolve));
      if (isBroken) throw new Error("broken");
      return page(request);
    },
    /** Answers everything that is asked, also what is asked then. */
    async answerAll() {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        next();
        await new Promise((resolve) => setTimeout(resolve));
      }
    },
  };
}

function pagesOf(served: ReturnType<typeof service>, expectedSize = 1_000) {
  const stale: true[] = [];
  const pages = new BranchPages({
    load: served.load,
    expectedSize,
    onChange: () => {},
    onStale: () => stale.push(true),
  });
  return { pages, stale };
}

const held = (pages: BranchPages) =>
  Array.from({ length: pages.total }, (_, place) => place).filter((place) => pages.item(place) !== undefined);

describe("BranchPages", () => {
  it("keeps the same IDs when entries of a known branch are loaded", async () => {
    const served = service(2_000);
    const { pages } = pagesOf(served);
    pages.setBranch(served.ids);
    const known = pages.ids;
    pages.show(1_000, 1_020);
    await served.answerAll();
    expect(pages.item(1_000)).toBeDefined();
    pages.setBranch(served.ids);
    expect(pages.ids).toBe(known);
  });

  it("opens at the newest entries with one short question, and knows their places", async () => {
    const served = service(20_000);
    const { pages } = pagesOf(served);
    void pages.open(null);
    await served.answerAll();
    expect(served.asked[0]).toEqual({ leafId: null, limit: 50 });
    expect(pages.total).toBe(20_000);
    expect(pages.item(19_999)?.id).toBe("e19999");
    expect(pages.placeOf("e19990")).toBe(19_990);
    expect(served.asked.length).toBe(1);
  });

  it("asks for fewer entries where they are large", async () => {
    const served = service(100);
    const { pages } = pagesOf(served, 1024 * 1024);
    void pages.open(null);
    await served.answerAll();
    expect(served.asked[0]?.limit).toBe(8);
  });

  it("loads what is in sight and near it, without the tree too", async () => {
    const served = service(500);
    const { pages } = pagesOf(served);
    void pages.open(null);
    await served.answerAll();
    pages.show(440, 455);
    await served.answerAll();
    expect(held(pages)[0]).toBeLessThanOrEqual(400);
    pages.show(100, 110);
    await served.answerAll();
    for (let place = 60; place < 150; place++) expect(pages.item(place)?.id).toBe(`e${place}`);
  });

  it("jumps where the tree names the entries, without what lies between", async () => {
    const served = service(5_000);
    const { pages } = pagesOf(served);
    void pages.open(null);
    await served.answerAll();
    pages.setBranch(served.ids);
    pages.show(1_000, 1_020);
    await served.answerAll();
    expect(pages.item(1_010)?.id).toBe("e1010");
    expect(held(pages).length).toBeLessThan(400);
  });

  it("keeps what two branches share, and takes no answer for another branch", async () => {
    const served = service(60);
    const { pages } = pagesOf(served);
    void pages.open(null);
    await served.answerAll();
    pages.setBranch(served.ids);
    pages.show(0, 10);
    const other = [...served.ids.slice(0, 30), "other"];
    pages.setBranch(other);
    expect(pages.total).toBe(31);
    expect(pages.item(30)).toBeUndefined();
    expect(pages.item(29)?.id).toBe("e29");
    await served.answerAll();
    expect(pages.placeOf("other")).toBe(30);
    expect(pages.placeOf("e40")).toBe(-1);
  });

  it("takes what is appended", async () => {
    const served = service(10);
    const { pages } = pagesOf(served);
    void pages.open(null);
    await served.answerAll();
    pages.append([{ ...served.item(9), id: "new" }]);
    expect([pages.total, pages.item(10)?.id, pages.placeOf("new")]).toEqual([11, "new", 10]);
  });

  it("tells of an error and goes on when asked to", async () => {
    const served = service(500);
    const { pages } = pagesOf(served);
    served.breakDown(true);
    void pages.open(null);
    await served.answerAll();
    expect(pages.error).toBeInstanceOf(Error);
    served.breakDown(false);
    pages.retry();
    await served.answerAll();
    expect([pages.error, pages.item(499)?.id]).toEqual([null, "e499"]);
    served.breakDown(true);
    pages.show(300, 310);
    await served.answerAll();
    const asked = served.asked.length;
    pages.show(290, 300);
    expect(served.asked.length).toBe(asked);
    served.breakDown(false);
    pages.retry();
    await served.answerAll();
    expect(pages.item(295)?.id).toBe("e295");
  });

  it("notices that the file is another", async () => {
    const served = service(500);
    const { pages, stale } = pagesOf(served);
    void pages.open(null);
    await served.answerAll();
    served.ids.splice(0, 100);
    pages.show(380, 400);
    await served.answerAll();
    expect(stale).toEqual([true]);
  });

  it("holds a bounded part of any branch, what is in sight always", async () => {
    const places = fc.array(fc.nat({ max: 199 }), { minLength: 1, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(places, async (jumps) => {
        const served = service(200, 1024 * 1024);
        const { pages } = pagesOf(served, 1024 * 1024);
        void pages.open(null);
        await served.answerAll();
        pages.setBranch(served.ids);
        for (const place of jumps) {
          pages.show(place, place + 2);
          await served.answerAll();
          expect(pages.item(place)?.id).toBe(`e${place}`);
          expect(held(pages).length).toBeLessThanOrEqual(2 + 4 * 8);
        }
      }),
      { numRuns: 20 },
    );
  });
});
