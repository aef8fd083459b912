import { describe, expect, it } from "vitest";
import { type FamilyMember, forkParents } from "./fork-family.ts";

/** A session from its entries, as `id:time`; a dot is a line that is no entry. */
function member(name: string, key: number, text: string): FamilyMember {
  const entries: { id: string; offset: number; length: number; timestamp: number }[] = [];
  let offset = 0;
  for (const line of text.split(" ")) {
    const [id = "", time] = line.split(":");
    if (id !== ".") entries.push({ id, offset, length: 9, timestamp: Number(time ?? id.slice(1)) });
    offset += 10;
  }
  return { key, path: name, entries: () => entries };
}

/** The names of the parents, by the names of the sessions. */
function parentsOf(sessions: Record<string, string>): Record<string, string | null> {
  const names = Object.keys(sessions);
  const members = names.map((name, place) => member(name, place + 1, sessions[name] ?? ""));
  const forwards = forkParents(members);
  expect(forkParents(members.toReversed())).toEqual(new Map([...forwards].toReversed()));
  return Object.fromEntries(names.map((name, place) => [name, names[(forwards.get(place + 1) ?? 0) - 1] ?? null]));
}

describe("forkParents", () => {
  it.each<[string, Record<string, string>, Record<string, string | null>]>([
    [
      "takes the one with lines that are not copied for the origin, whoever went on first",
      { origin: ". e1 . e2 e3 e9", fork: "e1 e2 e3 e5" },
      { origin: null, fork: "origin" },
    ],
    ["takes the one that went on first", { b: "e1 e2 e7", a: "e1 e2 e5" }, { a: null, b: "a" }],
    ["takes the one that did not go on", { b: "e1 e2", a: "e1 e2 e5" }, { a: "b", b: null }],
    [
      "finds a fork of a fork by what both have in common",
      { origin: ". e1 e2 e4", fork: "e1 e2 f5 . f6", second: "e1 e2 f5 f6 s7", other: "e1 e2 o8" },
      { origin: null, fork: "origin", second: "fork", other: "origin" },
    ],
    ["tells equal ones apart by their paths", { b: "e1 e2", a: "e1 e2" }, { a: null, b: "a" }],
    ["leaves entries without an ID out", { a: "@0 e1 @2 e2 e4", b: "e1 e2 e3" }, { a: null, b: "a" }],
    ["relates none with another beginning", { a: "e1 e2", b: "f1 e2" }, { a: null, b: null }],
    ["is not disturbed by missing times", { a: "e1 e2 x:NaN", b: "e1 e2 y:NaN" }, { a: null, b: "a" }],
  ])("%s", (_, sessions, expected) => {
    expect(parentsOf(sessions)).toEqual(expected);
  });
});
