import { expect, it } from "vitest";
import { type AnswerRow, attributed } from "./attribution.ts";

const ROW: AnswerRow = {
  ...{ key: 1, ordinal: 0, answer: 1, request: 7, is_aside: 0, model: 1, tier: 1, path: "/a", created: 0 },
  ...{ input: 10, output: 5, cache_read: 0, cache_write: 0, cache_write_1h: 0, cost: null },
};

const row = (key: number, more: Partial<AnswerRow> = {}): AnswerRow => ({
  ...ROW,
  key,
  path: `/${key}`,
  created: key,
  ...more,
});

/** The output that counts, by key and ordinal. */
function counted(rows: AnswerRow[], parents: Record<number, number> = {}): Record<string, number> {
  function* ancestors(key: number) {
    for (let at = parents[key]; at !== undefined; at = parents[at]) yield at;
  }
  const outputs = Object.fromEntries(rows.map(({ key, ordinal, output }) => [`${key}:${ordinal}`, output]));
  for (const { key, ordinal, output } of attributed(rows, ancestors)) {
    const place = `${key}:${ordinal}`;
    outputs[place] = (outputs[place] ?? 0) + output;
  }
  return outputs;
}

it.each<[string, AnswerRow[], Record<number, number>, Record<string, number>]>([
  ["an answer of one session", [row(1)], {}, { "1:0": 5 }],
  ["the earliest session", [row(1, { created: 9 }), row(2)], {}, { "1:0": 0, "2:0": 5 }],
  ["the first path, where times are the same", [row(1), row(2, { created: 1 })], {}, { "1:0": 5, "2:0": 0 }],
  ["the origin, whatever its time", [row(1), row(2), row(3)], { 1: 3, 3: 4 }, { "1:0": 0, "2:0": 0, "3:0": 5 }],
  ["an origin that is not the parent", [row(1), row(3)], { 1: 2, 2: 3 }, { "1:0": 0, "3:0": 5 }],
  ["the copy with the most output", [row(1), row(2, { output: 90 })], {}, { "1:0": 90, "2:0": 0 }],
  [
    "an answer in several entries",
    [row(1), row(1, { ordinal: 1, input: 0, output: 3 }), row(2), row(2, { ordinal: 4, input: 0, output: 3 })],
    {},
    { "1:0": 5, "1:1": 3, "2:0": 0, "2:4": 0 },
  ],
  [
    "of several entries that were not complete, the first one",
    [row(1), row(1, { ordinal: 1, input: 0, output: 3 }), row(2, { output: 9 })],
    {},
    { "1:0": 9, "1:1": 0, "2:0": 0 },
  ],
  ["two requests with one ID", [row(1), row(2, { request: 8 })], {}, { "1:0": 5, "2:0": 5 }],
  ["not what another agent says of it", [row(1, { request: 8, is_aside: 1 }), row(2)], {}, { "1:0": 0, "2:0": 5 }],
  [
    "nor where that has more output",
    [row(1, { request: 8, is_aside: 1, output: 50 }), row(2)],
    {},
    { "1:0": 0, "2:0": 5 },
  ],
  [
    "of other agents the earliest",
    [row(1, { request: 8, is_aside: 1 }), row(2, { is_aside: 1 })],
    {},
    { "1:0": 5, "2:0": 0 },
  ],
  ["the same request of another agent", [row(1, { is_aside: 1 }), row(2)], {}, { "1:0": 5, "2:0": 0 }],
  [
    "not what was reported of another agent, be it the parent and complete",
    [row(1, { is_aside: 2, output: 50 }), row(2, { is_aside: 1 })],
    { 2: 1 },
    { "1:0": 0, "2:0": 5 },
  ],
  ["what was reported of an agent whose file is gone", [row(1, { is_aside: 2 })], {}, { "1:0": 5 }],
  [
    "what was reported twice, once",
    [row(1, { is_aside: 2 }), row(2, { is_aside: 2 })],
    { 2: 1 },
    { "1:0": 5, "2:0": 0 },
  ],
  [
    "requests that are not recorded",
    [row(1, { request: null }), row(2, { request: null })],
    {},
    { "1:0": 5, "2:0": 0 },
  ],
])("counts %s", (_, rows, parents, expected) => {
  expect(counted(rows, parents)).toEqual(expected);
});

it("corrects recorded costs, and says nothing of those that are not", () => {
  const rows = [row(1), row(2, { output: 9, cost: 0.5 })];
  expect(attributed(rows, () => []).map(({ key, cost }) => [key, cost])).toEqual([
    [1, 0.5],
    [2, -0.5],
  ]);
});
