import { describe, expect, it } from "vitest";
import { placeAdditions } from "./additions.ts";
import type { Addition } from "./attachment.ts";

const said = (time: number): Addition => ({ key: `said ${time}`, time, isEntry: true, content: null });
const remark = (time: number): Addition => ({ key: `remark ${time}`, time, isEntry: false, content: null });

/** Places additions between entries that were stored at these times. */
function placed(times: (number | null)[], ...additions: Addition[]) {
  const timeAt = (place: number) => times[place] ?? null;
  const { after, atEnd } = placeAdditions(additions, { total: times.length, timeAt, newestAt: times.at(-1) ?? null });
  return {
    after: Object.fromEntries([...after].map(([place, ones]) => [place, ones.map(({ key }) => key)])),
    atEnd: atEnd.map(({ key }) => key),
  };
}

describe("what is in no file yet", () => {
  it("stands at the end, and gives its place to its entry", () => {
    expect(placed([], said(5))).toEqual({ after: {}, atEnd: ["said 5"] });
    expect(placed([10], said(9), said(20))).toEqual({ after: {}, atEnd: ["said 20"] });
    expect(placed([10, 22], said(9), said(20))).toEqual({ after: {}, atEnd: [] });
  });

  it("keeps its order with what never is", () => {
    expect(placed([10], said(20), remark(20), said(30)).atEnd).toEqual(["said 20", "remark 20", "said 30"]);
  });
});

describe("what never is in the file", () => {
  it("stays behind the entry that it has followed", () => {
    const times = [10, 21, 33, 44];
    expect(placed(times, said(20), remark(20), said(30), remark(30), remark(30))).toEqual({
      after: { 1: ["remark 20"], 2: ["remark 30", "remark 30"] },
      atEnd: [],
    });
    expect(placed(times, remark(1)).after).toEqual({ 0: ["remark 1"] });
  });

  it("passes entries without a time", () => {
    expect(placed([10, 21, null, 44], remark(20)).after).toEqual({ 1: ["remark 20"] });
  });
});
