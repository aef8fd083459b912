import { describe, expect, it } from "vitest";
import { rankedKinds, rankedModels, rankedProjects, rankedTools } from "./ranked-sums.ts";
import { SumTable } from "./sum-table.ts";

const MONDAY = 20_514;

/** A row with so many messages. */
function row(sums: SumTable, messages: number): number {
  const added = sums.add();
  sums.addMessages(added, messages);
  return added;
}

describe("rankedModels", () => {
  it("lists the most used first, those used as much by name, and adds up providers", () => {
    const sums = new SumTable();
    const models = [
      { model: "b", provider: "q", row: row(sums, 2) },
      { model: "c", provider: "p", row: row(sums, 4) },
      { model: "a", provider: null, row: row(sums, 2) },
      { model: null, provider: "q", row: row(sums, 2) },
    ];
    const { by_model, by_provider } = rankedModels(models, sums);
    expect(by_model.map(({ model, messages }) => [model, messages])).toEqual([
      ["c", 4],
      [null, 2],
      ["a", 2],
      ["b", 2],
    ]);
    expect(by_provider.map(({ provider, messages }) => [provider, messages])).toEqual([
      ["p", 4],
      ["q", 4],
      [null, 2],
    ]);
  });

  it("lists a thousand", () => {
    const sums = new SumTable();
    const models = Array.from({ length: 1_001 }, (_, place) => ({
      model: `m${place}`,
      provider: `p${place}`,
      row: row(sums, place),
    }));
    const { by_model, by_provider } = rankedModels(models, sums);
    expect([by_model.length, by_model.at(-1)?.model]).toEqual([1_000, "m1"]);
    expect([by_provider.length, by_provider.at(-1)?.provider]).toEqual([1_000, "p1"]);
  });
});

describe("rankedKinds", () => {
  it("adds up formats, and the subagents of all of them, without kinds that did nothing", () => {
    const sums = new SumTable();
    const kind = { sessions: 1, messages: 3, row: sums.add() };
    const kinds = [
      { ...kind, format: "pi", isSubagent: true },
      { ...kind, format: "claude-code", isSubagent: true },
      { ...kind, format: "pi", isSubagent: false },
      { format: "codex", isSubagent: true, sessions: 0, messages: 0, row: sums.add() },
    ] as const;
    const { by_format, subagents } = rankedKinds(kinds, sums);
    expect(by_format.map(({ format, sessions, messages }) => [format, sessions, messages])).toEqual([
      ["claude-code", 1, 3],
      ["pi", 2, 6],
    ]);
    expect(subagents).toMatchObject({ sessions: 2, messages: 6 });
  });
});

describe("rankedProjects", () => {
  it("adds up weeks and what has no time, and lists the newest 26 weeks", () => {
    const sums = new SumTable();
    const weeks = (count: number, messages: number) =>
      new Map(Array.from({ length: count }, (_, week) => [MONDAY + 7 * week, row(sums, messages)] as const));
    const projects = new Map([
      ["/small", { sessions: 1, untimed: row(sums, 5), weeks: weeks(1, 1) }],
      ["/large", { sessions: 2, untimed: sums.add(), weeks: weeks(27, 1) }],
      ["/nothing", { sessions: 0, untimed: sums.add(), weeks: weeks(0, 0) }],
    ]);
    const { by_project, by_project_week } = rankedProjects(projects, sums);
    expect(by_project.map(({ project, sessions, messages }) => [project, sessions, messages])).toEqual([
      ["/large", 2, 27],
      ["/small", 1, 6],
    ]);
    expect(by_project_week).toHaveLength(26);
    expect(by_project_week.map(({ project, week }) => [project, week])[0]).toEqual(["/large", "2026-03-09"]);
  });
});

describe("rankedTools", () => {
  it("lists the most called first, then those that failed most, without those never called", () => {
    const tools = [
      ["read", { calls: 2, errors: 0 }],
      ["bash", { calls: 2, errors: 1 }],
      ["edit", { calls: 2, errors: 0 }],
      ["gone", { calls: 0, errors: 0 }],
      [null, { calls: 3, errors: 0 }],
    ] as const;
    expect(rankedTools(tools).map(({ tool }) => tool)).toEqual([null, "bash", "edit", "read"]);
  });
});
