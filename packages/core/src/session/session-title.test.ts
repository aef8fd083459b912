import { describe, expect, it } from "vitest";
import { emptyState, type FoldState } from "./fold-state.ts";
import { titleOf, titleOfName } from "./session-title.ts";

const PATH = "/sessions/2026-11-21T03-07-38-373Z_abc.jsonl";
const HEADER: NonNullable<FoldState["header"]> = {
  id: "s1",
  timestamp: null,
  cwd: null,
  parentSessionPath: null,
  parentSessionId: null,
  relation: null,
  title: "H",
  rateLimits: null,
  hasTree: true,
};

describe("titleOf", () => {
  it.each<[string, Partial<FoldState>, string]>([
    ["the name", { name: " A\n B ", header: HEADER, told_title: "T", first_message: "F" }, "A B"],
    ["the agent's title", { header: HEADER, told_title: "T", first_message: "F" }, "H"],
    ["the title that another session tells", { told_title: "T", first_message: "F" }, "T"],
    ["the first message", { first_message: "F" }, "F"],
    ["the next one, where one is blank", { name: " \n", told_title: "", first_message: "F" }, "F"],
    ["the name of the file", {}, "2026-11-21T03-07-38-373Z_abc"],
  ])("is %s", (_, state, title) => {
    expect(titleOf({ ...emptyState(), ...state }, PATH)).toBe(title);
  });

  it("has at most 200 characters", () => {
    const long = "x".repeat(300);
    expect(titleOf({ ...emptyState(), name: long }, PATH)).toHaveLength(200);
    expect(titleOf(emptyState(), `/${long}.jsonl`)).toHaveLength(200);
    expect(titleOfName(long)).toHaveLength(200);
  });
});
