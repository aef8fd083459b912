import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createSegmentBuilder } from "../indexing/segment-builder.ts";
import { openDatabase, type TestDatabase } from "../storage/database.fixture.ts";
import { SEGMENTS_SQL } from "../storage/schema.ts";
import { build, contentOf, modelOf, originsOf, type TestDocument } from "./model.fixture.ts";
import type { DocumentOrigin, Segment, Segments } from "./segment.ts";
import { openSegments } from "./segments.ts";

let database: TestDatabase;
let segments: Segments;

beforeEach(() => {
  database = openDatabase(":memory:");
  database.exec(SEGMENTS_SQL);
  segments = openSegments(database);
});

afterEach(() => {
  database.close();
});

function reset(): void {
  database.exec("DELETE FROM segments; DELETE FROM chunks");
  // What was opened before knows chunks by the ids that are given again.
  segments = openSegments(database);
}

/** To make another one for each of thousands of segments would take most of the time. */
const builder = createSegmentBuilder();

function store(documents: readonly TestDocument[]): Segment {
  build(builder, documents);
  segments.write(builder);
  const written = segments.refresh().at(-1);
  if (written === undefined) throw new Error("Nothing was written.");
  return written;
}

function merge(merged: readonly Segment[], isAlive: (segment: Segment, document: number) => boolean): number {
  let steps = 1;
  for (const _ of segments.merge(merged, isAlive)) steps++;
  return steps;
}

function textDocument(text: string, origin: Partial<DocumentOrigin> = {}): TestDocument {
  return { origin: { key: 1, ordinal: 0, part: 0, code: 2, timestamp: null, ...origin }, texts: [text], fields: [] };
}

function termsOf(found: Iterable<{ term: string }>): string[] {
  return Array.from(found, ({ term }) => term);
}

const anyOrigin: fc.Arbitrary<DocumentOrigin> = fc.record({
  key: fc.oneof(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 2 ** 50 })),
  ordinal: fc.nat(),
  part: fc.nat(300),
  code: fc.nat(255),
  timestamp: fc.option(
    fc.oneof(fc.integer({ min: -(2 ** 49), max: 2 ** 49 }), fc.constantFrom(-(2 ** 49), 2 ** 49), fc.nat(5)),
  ),
});
const anyWord = fc.oneof(
  fc.constantFrom(
    "a",
    "b",
    "getUser",
    "userGet",
    "HTTPServer",
    "user",
    "中文",
    "文",
    "🎉",
    "é",
    "zz",
    "\uffff",
    "\ud800",
  ),
  fc.string({ unit: fc.constantFrom(..."abc1éж"), minLength: 1, maxLength: 6 }),
);
const anyText = fc.array(anyWord, { maxLength: 40 }).map((words) => words.join(" "));
const anyDocument: fc.Arbitrary<TestDocument> = fc.record({
  origin: anyOrigin,
  texts: fc.array(anyText, { maxLength: 3 }),
  fields: fc.array(
    fc.tuple(fc.constantFrom("tool", "model", "file"), fc.oneof(fc.constantFrom("bash", "A\nb"), fc.string())),
    { maxLength: 3 },
  ),
});
const anyDocuments = fc.array(anyDocument, { minLength: 1, maxLength: 20 });

describe("a segment", () => {
  it("holds what was built", () => {
    fc.assert(
      fc.property(anyDocuments, (documents) => {
        const segment = store(documents);
        expect(contentOf(segment)).toEqual(modelOf(documents));
        expect(originsOf(segment)).toEqual(documents.map(({ origin }) => origin));
        // Also for who has not decoded the documents.
        const lengths = openSegments(database).refresh().at(-1)?.lengths;
        expect([...(lengths ?? [])]).toEqual(modelOf(documents).lengths);
      }),
      { numRuns: 200 },
    );
  });

  it("finds its terms, and those of a range, in the order of UTF-16 units", () => {
    fc.assert(
      fc.property(anyDocuments, anyWord, anyWord, (documents, from, below) => {
        reset();
        const segment = store(documents);
        const terms = [...modelOf(documents).terms.keys()].sort((a, b) => (a < b ? -1 : 1));
        const inRange = terms.filter((term) => term >= from && term < below);
        for (const term of terms) expect(segment.find(term)?.term).toBe(term);
        expect(segment.find(`${from}${below}x`)).toBeNull();
        expect(termsOf(segment.range(from, below))).toEqual(inRange);
        for (const text of [from.slice(0, 1), below]) {
          const expected = inRange.filter((term) => term.includes(text));
          expect(termsOf(segment.containing(text, from, below))).toEqual(expected);
        }
      }),
    );
  });

  it.each([127, 128, 129, 256, 257, 1000])("holds %i documents of a term", (count) => {
    const documents = Array.from({ length: count }, (_, at) =>
      textDocument(`often ${at % 3 === 0 ? "third " : ""}${"again ".repeat(at % 40)} n${at}`, { ordinal: at }),
    );
    expect(contentOf(store(documents))).toEqual(modelOf(documents));
  });

  it("tells positions of documents that are asked for with gaps, twice, and in vain", () => {
    const documents = Array.from({ length: 1000 }, (_, at) =>
      textDocument(at % 2 === 0 ? `x ${"term ".repeat(1 + (at % 5))}` : "other", { ordinal: at }),
    );
    const expected = new Map(modelOf(documents).terms.get("term"));
    const segment = store(documents);
    const anyAsked = fc.array(fc.nat(1100), { maxLength: 30 }).map((asked) => asked.sort((a, b) => a - b));
    fc.assert(
      fc.property(anyAsked, (asked) => {
        const cursor = segment.find("term")?.positions();
        expect(asked.map((document) => [...(cursor?.in(document) ?? [])])).toEqual(
          asked.map((document) => expected.get(document) ?? []),
        );
      }),
    );
  });

  it("decodes the set of a common term once", () => {
    const documents = Array.from({ length: 3000 }, (_, at) =>
      textDocument(`all ${at % 2 === 0 ? "even" : ""} ${at < 1000 ? "early" : ""}`, { ordinal: at }),
    );
    const segment = store(documents);
    const even = Uint32Array.from({ length: Math.ceil(3000 / 32) }, (_, word) => (word < 93 ? 0x55555555 : 0x555555));
    expect(segment.find("even")?.set(false)).toBeNull();
    const set = segment.find("even")?.set(true);
    expect(set).toEqual(even);
    expect(segment.find("even")?.set(false)).toBe(set);
    // Too short a list to be kept.
    expect(segment.find("early")?.set(true)).toBeNull();
    merge([segment], () => true);
    const [merged] = segments.refresh();
    expect(merged?.find("even")?.set(false)).toBeNull();
  });

  it("holds a vocabulary and lists of many blocks and chunks", () => {
    const documents = Array.from({ length: 150 }, (_, at) => {
      const words = Array.from({ length: 200 }, (_, word) => `w${(at * 7919 + word * word * 31) % 30_011}`);
      return textDocument(`${words.join(" ")} the ${"the end ".repeat(at)}`, { ordinal: at });
    });
    const segment = store(documents);
    expect(segment.bytes).toBeGreaterThan(100_000);
    const model = modelOf(documents);
    expect(contentOf(segment)).toEqual(model);
    const containing = [...model.terms.keys()].filter((term) => term.includes("99")).sort((a, b) => (a < b ? -1 : 1));
    expect(containing.length).toBeGreaterThan(100);
    expect(termsOf(segment.containing("99", "", "z"))).toEqual(containing);
  });

  it("holds a document of a million terms", () => {
    const text = Array.from({ length: 500_000 }, (_, at) => `same w${at % 1000}`).join(" ");
    const segment = store([textDocument("before"), textDocument(text), textDocument("same after")]);
    const cursor = segment.find("same")?.positions();
    const positions = cursor?.in(1) ?? new Uint32Array();
    expect(positions).toHaveLength(500_000);
    expect(positions.every((position, at) => position === at * 2)).toBe(true);
    expect([...(cursor?.in(2) ?? [])]).toEqual([0]);
    expect(segment.find("w999")?.list().frequencies).toEqual(Uint32Array.of(500));
    expect([...segment.documents.lengths]).toEqual([1, 1_000_000, 2]);
  });

  it("knows identifiers and their parts, and no document of them", () => {
    const segment = store([textDocument("getUserName, getUser and getUserName")]);
    const identifiers = [...segment.range("id:", "id;")];
    expect(termsOf(identifiers)).toEqual(["id:getuser get user", "id:getusername get user name"]);
    for (const postings of identifiers) {
      expect(postings.documentCount).toBe(0);
      expect(postings.list()).toEqual({ documents: new Uint32Array(), frequencies: new Uint32Array() });
      expect(postings.positions().in(0)).toHaveLength(0);
    }
    expect([...(segment.find("name")?.positions().in(0) ?? [])]).toEqual([2, 8]);
  });

  it("has a field once a document, folded and cut", () => {
    const { origin } = textDocument("");
    const file = "X".repeat(1000);
    const segment = store([
      {
        origin,
        texts: ["a"],
        fields: [
          ["tool", "Bash"],
          ["tool", "bash"],
        ],
      },
      { origin, texts: [], fields: [["file", file]] },
      { origin, texts: ["bash"], fields: [["tool", "BASH"]] },
    ]);
    expect(segment.find("tool:bash")?.list()).toEqual({
      documents: Uint32Array.of(0, 2),
      frequencies: Uint32Array.of(1, 1),
    });
    expect(segment.find("tool:bash")?.positions().in(2)).toHaveLength(0);
    expect(segment.find(`file:${"x".repeat(96)}/…/${"x".repeat(157)}`)?.documentCount).toBe(1);
    expect([...segment.documents.lengths]).toEqual([1, 0, 1]);
  });

  it("stores times that no date has as none", () => {
    const times = [Number.POSITIVE_INFINITY, Number.NaN, -1e300, 1.4];
    const segment = store(times.map((timestamp) => textDocument("a", { timestamp })));
    expect([...segment.documents.timestamps]).toEqual([Number.NaN, Number.NaN, Number.NaN, 1]);
  });
});

describe("segments", () => {
  it("writes nothing where nothing was built, and takes the builder up anew", () => {
    segments.write(builder);
    expect(segments.refresh()).toEqual([]);
    build(builder, [textDocument("getName one")]);
    expect([builder.documentCount, builder.termCount]).toEqual([1, 3]);
    segments.write(builder);
    expect([builder.documentCount, builder.termCount]).toEqual([0, 0]);
    build(builder, [textDocument("getName two")]);
    segments.write(builder);
    const [first, second] = segments.refresh();
    expect(first?.find("two")).toBeNull();
    expect(second?.find("one")).toBeNull();
    expect(second?.find("id:getname get name")).not.toBeNull();
  });

  it("gives the same objects again", () => {
    const first = store([textDocument("one")]);
    expect(segments.refresh()[0]).toBe(first);
    store([textDocument("two")]);
    expect(segments.refresh()[0]).toBe(first);
  });

  it("shows another connection what was there when its transaction began", () => {
    const directory = mkdtempSync(join(tmpdir(), "segments-"));
    try {
      const path = join(directory, "text.db");
      database.close();
      database = openDatabase(path);
      database.exec(SEGMENTS_SQL);
      segments = openSegments(database);
      const sources = [store([textDocument("one")]), store([textDocument("two")])];
      const reading = openDatabase(path);
      const reader = openSegments(reading);
      reading.transaction(() => {
        const [first, second] = reader.refresh();
        merge(sources, () => true);
        expect(reader.refresh()).toEqual([first, second]);
        expect(first?.find("one")?.documentCount).toBe(1);
        expect(second?.documents.count).toBe(1);
      })();
      const [merged, ...others] = reader.refresh();
      expect(merged?.documents.count).toBe(2);
      expect(others).toEqual([]);
      reading.close();
    } finally {
      database.close();
      rmSync(directory, { recursive: true });
    }
  });

  it("merges living documents", () => {
    const anyParts = fc.array(fc.array(fc.tuple(anyDocument, fc.boolean()), { minLength: 1, maxLength: 12 }), {
      minLength: 1,
      maxLength: 4,
    });
    fc.assert(
      fc.property(anyParts, (parts) => {
        reset();
        const sources = parts.map((part) => store(part.map(([document]) => document)));
        merge(sources, (segment, document) => parts[sources.indexOf(segment)]?.[document]?.[1] === true);
        const living = parts.flat().flatMap(([document, isAlive]) => (isAlive ? [document] : []));
        const expected = modelOf(living);
        const merged = segments.refresh();
        expect(merged).toHaveLength(living.length === 0 ? 0 : 1);
        // Identifiers stay: nobody knows who has them.
        const { terms } = modelOf(parts.flat().map(([document]) => document));
        for (const term of terms.keys()) if (term.startsWith("id:")) expected.terms.set(term, []);
        for (const segment of merged) {
          expect(contentOf(segment)).toEqual(expected);
          expect(originsOf(segment)).toEqual(living.map(({ origin }) => origin));
        }
        expect(chunksOfOthers(merged)).toBe(0);
      }),
    );
  });

  it("merges lists of many blocks, with every third document dead", () => {
    const documents = Array.from({ length: 1200 }, (_, at) =>
      textDocument(`common ${"x ".repeat(at % 9)} getName rare${at} common`, { ordinal: at }),
    );
    const sources = [documents.slice(0, 500), documents.slice(500, 501), documents.slice(501)].map(store);
    merge(sources, (segment, document) => (segment.documents.ordinals[document] ?? 0) % 3 !== 0);
    const [merged] = segments.refresh();
    if (merged === undefined) throw new Error("Nothing was merged.");
    expect(contentOf(merged)).toEqual(modelOf(documents.filter((_, at) => at % 3 !== 0)));
    expect(merged.find("id:getname get name")).not.toBeNull();
  });

  it("takes the merged segment for the others at once, and others are written meanwhile", () => {
    const sources = [fill(0), fill(1), fill(2)].map(store);
    const expected = sources.map((segment) => segment.find("the")?.documentCount ?? 0);
    const seen = new Set<string>();
    let steps = 0;
    for (const _ of segments.merge(sources, () => true)) {
      const now = segments.refresh().filter(({ documents }) => documents.count > 1);
      seen.add(now.map((segment) => segment.find("the")?.documentCount).join(" "));
      if (steps++ === 0) store([textDocument("meanwhile")]);
    }
    expect(steps).toBeGreaterThan(3);
    expect([...seen]).toEqual([expected.join(" "), String(expected.reduce((a, b) => a + b))]);
    expect(segments.refresh().flatMap((segment) => segment.find("meanwhile") ?? [])).toHaveLength(1);
    expect(chunksOfOthers(segments.refresh())).toBe(0);
  });

  it("is left as it was by a merge that ends early, whose remains the next one removes", () => {
    const sources = [fill(0), fill(1), fill(2)].map(store);
    for (const _ of segments.merge(sources, () => true)) if (chunksOfOthers(sources) !== 0) break;
    expect(segments.refresh()).toEqual(sources);
    expect(chunksOfOthers(sources)).not.toBe(0);
    merge([], () => true);
    expect(segments.refresh()).toEqual(sources);
    expect(chunksOfOthers(sources)).toBe(0);
    // The id of the one that was begun is not used again.
    expect(database.prepare("SELECT count(*) FROM segments").pluck().get()).toBe(4);
    expect(segments.hasRemains).toBe(false);
    expect(store(fill(3)).id).toBe(5);
  });

  it("never has an id twice, even where all were removed", () => {
    const ids: number[] = [];
    for (let round = 0; round < 3; round++) {
      ids.push(store([textDocument(`round ${round}`)]).id);
      merge(segments.refresh(), () => false);
      expect(segments.refresh()).toEqual([]);
      expect(segments.hasRemains).toBe(false);
      expect(chunksOfOthers([])).toBe(0);
    }
    expect(new Set(ids).size).toBe(3);
    expect(database.prepare("SELECT count(*) FROM segments").pluck().get()).toBe(1);
  });

  /** Work for several steps. */
  function fill(seed: number): TestDocument[] {
    return Array.from({ length: 200 }, (_, at) => {
      const words = Array.from({ length: 200 }, (_, word) => (word * (at + 13) * (seed + 7)) % 90_001);
      return textDocument(`the ${words.join(" ")}`, { ordinal: at });
    });
  }

  function chunksOfOthers(known: readonly Segment[]): unknown {
    const ids = known.map(({ id }) => id).join(", ");
    return database.prepare(`SELECT count(*) FROM chunks WHERE id >> 27 NOT IN (${ids})`).pluck().get();
  }
});
