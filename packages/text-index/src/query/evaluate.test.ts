import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { containsFolded } from "../analysis/substring.ts";
import { documentOf, memorySegment, type TestDocument } from "../segment/memory-segment.fixture.ts";
import { add, documentsOf, emptyBitset, fullBitset } from "./bitset.ts";
import { CostBudget } from "./cost-budget.ts";
import { Evaluator } from "./evaluate.ts";
import type { IndexQuery, PhrasesNode } from "./index-query.ts";
import { rankDocuments } from "./rank.ts";
import { SegmentView } from "./view.ts";

const PER_SEGMENT = 4;
const WORDS = ["ash", "birch", "ashen", "cedar"];

/** What a query finds, by looking at every document. */
function isMatch(node: IndexQuery, document: TestDocument): boolean {
  const { origin, texts } = document;
  const [text = ""] = texts;
  switch (node.type) {
    case "and":
      return node.nodes.every((one) => isMatch(one, document));
    case "or":
      return node.nodes.some((one) => isMatch(one, document));
    case "not":
      return !isMatch(node.node, document);
    case "keys":
      return node.keys.has(origin.key);
    case "codes":
      return node.codes[origin.code] === true;
    case "time":
      return origin.timestamp !== null && origin.timestamp >= node.from && origin.timestamp < node.before;
    case "substring":
      return containsFolded(text, node.text);
    case "phrases":
      return node.phrases.some(({ terms, prefix }) => {
        const words = text.split(" ");
        return words.some((_, start) =>
          terms.every((term, place) => {
            const word = words[start + place];
            return prefix && place === terms.length - 1 ? word?.startsWith(term) === true : word === term;
          }),
        );
      });
    case "values":
      throw new Error("Values of fields have tests of their own.");
  }
}

function evaluate(documents: readonly TestDocument[], query: IndexQuery) {
  const views: SegmentView[] = [];
  for (let start = 0; start < documents.length; start += PER_SEGMENT) {
    views.push(new SegmentView(memorySegment(views.length, documents.slice(start, start + PER_SEGMENT))));
  }
  const budget = new CostBudget(1_000_000);
  const evaluator = new Evaluator(views, budget, budget, (candidates, passes) =>
    candidates.map((bits, place) => {
      const passed = emptyBitset(views[place]?.documents.count ?? 0);
      for (const document of documentsOf(bits)) {
        if (passes(documents[place * PER_SEGMENT + document]?.texts.join("\n") ?? "")) add(passed, document);
      }
      return passed;
    }),
  );
  const masks = views.map((view) => fullBitset(view.documents.count));
  const matches = evaluator.evaluate(query, masks);
  const found = matches.flatMap((bits, place) => [...documentsOf(bits)].map((one) => place * PER_SEGMENT + one));
  return { views, evaluator, matches, found, isComplete: budget.isComplete };
}

const document = fc
  .record({
    words: fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 5 }),
    key: fc.nat(5),
    code: fc.nat(2),
    timestamp: fc.option(fc.nat(9)),
  })
  .map(({ words, ...origin }) => documentOf(words.join(" "), origin));
const phrase = fc.record({
  terms: fc.array(fc.constantFrom(...WORDS, "as", "bi"), { minLength: 1, maxLength: 3 }),
  prefix: fc.boolean(),
});
const { query } = fc.letrec<{ query: IndexQuery }>((tie) => ({
  query: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.record({
      type: fc.constant("phrases" as const),
      phrases: fc.array(phrase, { minLength: 1, maxLength: 2 }),
      leaf: fc.constant(null),
    }),
    fc.record({
      type: fc.constant("substring" as const),
      text: fc.constantFrom("ash", "she", "ch", "h b", "dar ash", "irch ce"),
      leaf: fc.constant(null),
    }),
    fc.record({ type: fc.constant("keys" as const), keys: fc.array(fc.nat(5)).map((keys) => new Set(keys)) }),
    fc.record({ type: fc.constant("codes" as const), codes: fc.array(fc.boolean(), { maxLength: 3 }) }),
    fc.record({ type: fc.constant("time" as const), from: fc.nat(9), before: fc.nat(9) }),
    fc.record({
      type: fc.constantFrom("and" as const, "or" as const),
      nodes: fc.array(tie("query"), { minLength: 1, maxLength: 3 }),
    }),
    fc.record({ type: fc.constant("not" as const), node: tie("query") }),
  ),
}));

describe("a query of an index", () => {
  it("finds what looking at every document finds", () => {
    fc.assert(
      fc.property(fc.array(document, { maxLength: 12 }), query, (documents, wanted) => {
        const expected = documents.flatMap((one, number) => (isMatch(wanted, one) ? number : []));
        expect(evaluate(documents, wanted)).toMatchObject({ found: expected, isComplete: true });
      }),
    );
  });

  it("finds values of fields", () => {
    const documents = ["a", "b", "c"].map((name) => documentOf("same", {}, [["name", name]]));
    const query = { field: "name", literal: "b", matches: (value: string) => value === "b" };
    const wanted: IndexQuery = { type: "values", query };
    expect(evaluate(documents, wanted).found).toEqual([1]);
  });
});

describe("scores", () => {
  const leaf: PhrasesNode = { type: "phrases", phrases: [{ terms: ["ash"], prefix: false }], leaf: 0 };
  const scores = (documents: readonly TestDocument[], codeWeights = new Float64Array(256).fill(1)) => {
    const { views, evaluator, matches } = evaluate(documents, leaf);
    const found = views.map((view, place) => ({ view, documents: documentsOf(matches[place] ?? new Uint32Array()) }));
    return rankDocuments(found, evaluator, [leaf], null, 0, codeWeights).matched.flatMap(({ values }) => [...values]);
  };

  it("grow with repetitions and fall with the length of a document", () => {
    const [once = 0, twice = 0, long = 0] = scores(["ash x", "ash ash", "ash x y z"].map((text) => documentOf(text)));
    expect(twice).toBeGreaterThan(once);
    expect(once).toBeGreaterThan(long);
  });

  it("are multiplied by the weight of a document's code", () => {
    const weights = new Float64Array(256).fill(1);
    weights[7] = 3;
    const [plain = 0, heavy = 0] = scores([documentOf("ash"), documentOf("ash", { code: 7 })], weights);
    expect(heavy / plain).toBeCloseTo(3);
  });
});
