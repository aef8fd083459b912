import { parseQuery } from "../../search/query.ts";
import type { TestDocument } from "../postings/model.fixture.ts";
import { add, type Bitset, documentsOf, emptyBitset, fullBitset } from "./bitset.ts";
import { CostBudget } from "./cost-budget.ts";
import { Evaluator } from "./evaluate.ts";
import { memorySegment } from "./memory-segment.fixture.ts";
import { partCode } from "./part-codes.ts";
import { planQuery, type QueryWorld } from "./planner.ts";
import { identifierSplitter } from "./terms.ts";
import { SegmentView } from "./view.ts";

/** A user's text, unless `origin` says otherwise. */
export function documentOf(
  text: string,
  origin: Partial<TestDocument["origin"]> = {},
  fields: TestDocument["fields"] = [],
): TestDocument {
  const code = partCode("text", "user");
  return { origin: { key: 1, ordinal: 0, part: 0, code, timestamp: 0, ...origin }, texts: [text], fields };
}

export interface TestSearch {
  /** Numbers of the documents, in the order in which they were given. */
  found: number[];
  isComplete: boolean;
  /** Texts that were read since the index could not tell. */
  verified: number;
  /** Matches with what they need to be ranked. */
  views: SegmentView[];
  matches: Bitset[];
  evaluator: Evaluator;
  plan: ReturnType<typeof planQuery>;
}

/** Searches documents that lie in segments of `perSegment`. */
export function searchDocuments(
  documents: readonly TestDocument[],
  query: string,
  {
    perSegment = 3,
    steps = 1_000_000,
    stepsForExclusion = steps,
    mostVerified = Number.POSITIVE_INFINITY,
    world = {},
  }: {
    perSegment?: number;
    steps?: number;
    stepsForExclusion?: number;
    mostVerified?: number;
    world?: Partial<QueryWorld>;
  } = {},
): TestSearch {
  const views: SegmentView[] = [];
  for (let start = 0; start < documents.length; start += perSegment) {
    views.push(new SegmentView(memorySegment(views.length, documents.slice(start, start + perSegment))));
  }
  const budget = new CostBudget(steps);
  let verified = 0;
  const forExclusion = new CostBudget(stepsForExclusion);
  const evaluator = new Evaluator(views, budget, forExclusion, (candidates, passes, others) =>
    candidates.map((bits, place) => {
      const passed = emptyBitset(views[place]?.documents.count ?? 0);
      for (const document of documentsOf(bits)) {
        if (verified === mostVerified) {
          budget.leaveOut();
          if (others === "in") add(passed, document);
          continue;
        }
        verified++;
        if (passes(documents[place * perSegment + document]?.texts.join("\n") ?? "")) add(passed, document);
      }
      return passed;
    }),
  );
  const none: ReadonlySet<number> = new Set();
  const plan = planQuery(parseQuery(query), {
    now: 0,
    split: identifierSplitter(views),
    inProject: () => none,
    tagged: () => none,
    named: () => none,
    inState: () => none,
    ...world,
  });
  const everything = views.map((view) => fullBitset(view.documents.count));
  const matches = evaluator.evaluate(plan.root, everything);
  const found = matches.flatMap((bits, place) =>
    [...documentsOf(bits)].map((document) => place * perSegment + document),
  );
  return {
    found,
    isComplete: budget.isComplete && forExclusion.isComplete,
    verified,
    views,
    matches,
    evaluator,
    plan,
  };
}
