import fc from "fast-check";
import { expect, it } from "vitest";
import { sessionRecord } from "./record.fixture.ts";
import { keepSteady } from "./steady.ts";

const named = (...names: string[]) => names.map((name) => sessionRecord(name));
const names = (records: readonly { title: string }[]) => records.map(({ title }) => title);

it.each([
  ["nothing has changed", "abc", "abc", "abc", 0],
  ["one has moved to the top", "abc", "cab", "abc", 0],
  ["one is gone", "abc", "ac", "abc", 0],
  ["one is new on top", "abc", "xabc", "abc", 1],
  ["one is new in between", "abc", "abxc", "abc", 1],
  ["some are new at the end", "abc", "abcxy", "abcxy", 0],
  ["nothing was there", "", "ab", "ab", 0],
  ["everything is gone", "ab", "", "ab", 0],
])("where %s", (_what, shown, next, expected, held) => {
  const list = keepSteady(named(...shown), named(...next));
  expect([names(list.sessions).join(""), list.held]).toEqual([expected, held]);
});

it("changes in place", () => {
  const [renamed] = [sessionRecord("a", { name: "New", title: "New" })];
  const { sessions } = keepSteady(named("a", "b"), [...named("b"), renamed]);
  expect(names(sessions)).toEqual(["New", "b"]);
});

it("never moves a row, and never loses a new one", () => {
  const list = fc.uniqueArray(fc.constantFrom(..."abcdefgh"));
  fc.assert(
    fc.property(list, list, (shown, next) => {
      const { sessions, held } = keepSteady(named(...shown), named(...next));
      expect(names(sessions).slice(0, shown.length)).toEqual(shown);
      const fresh = next.filter((name) => !shown.includes(name)).length;
      expect(sessions.length - shown.length + held).toBe(fresh);
    }),
  );
});
