import {
  add,
  type Bitset,
  CostBudget,
  documentsOf,
  Evaluator,
  emptyBitset,
  fullBitset,
  identifierSplitter,
  SegmentView,
} from "@sm/text-index";
import { documentOf as documentWith, memorySegment, type TestDocument } from "@sm/text-index/memory-segment.fixture";
import { parseQuery } from "../../search/query.ts";
import { partCode } from "./part-codes.ts";
import { planQuery, type QueryWorld } from "./planner.ts";

/** A user's text, unless `origin` says otherwise. */
export function documentOf(
  text: string,
  origin: Partial<TestDocument["origin"]> = {},
  fields: TestDocument["fields"] = [],
): TestDocument {
  return documentWith(text, { code: partCode("text", "user"), ...origin }, fields);
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
    ofAgent: () => none,
    tagged: () => none,
    named: () => none,
    noted: () => none,
    withNotes: () => none,
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
