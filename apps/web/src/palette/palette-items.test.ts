import { describe, expect, it } from "vitest";
import { findItems, makeSearchable } from "./palette-items.ts";

const items = makeSearchable([
  { id: "1", text: "Übersicht of the parser" },
  { id: "2", text: "Parser for tides", detail: "/home/me/clock" },
  { id: "3", text: "A sparse index" },
  { id: "4", text: "Clock", detail: "/home/me/tide" },
]);
const find = (query: string, recent: string[] = [], most = 10) =>
  findItems(items, query, recent, most).items.map(({ id }) => id);

describe("findItems", () => {
  it.each([
    ["", ["1", "2", "3", "4"]],
    ["pars", ["2", "1", "3"]],
    ["PARSER tide", ["2"]],
    ["ubersicht", ["1"]],
    ["clock", ["4", "2"]],
    ["nothing", []],
  ])("finds for %j", (query, ids) => expect(find(query)).toEqual(ids));

  it("puts what was used last before others that are as good", () => {
    expect(find("a", ["3"])).toEqual(["3", "1", "2"]);
    expect(find("home", ["2"])).toEqual(["2", "4"]);
    expect(find("home", ["4", "2"])).toEqual(["4", "2"]);
  });

  it.each([
    ["parser for", 15],
    ["tides", 2],
    ["tid", 2],
    ["home", 0],
    ["nothing", 0],
    ["", 0],
  ])("says of %j how good the best is: %d", (query, score) => {
    expect(findItems(items, query, [], 10).score).toBe(score);
  });

  it("gives the best of many", () => expect(find("a", [], 1)).toEqual(["3"]));
});
