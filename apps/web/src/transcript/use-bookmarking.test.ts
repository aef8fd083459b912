import { expect, it } from "vitest";
import { withBookmarks } from "./use-bookmarking.ts";

it("shows bookmarks of the user beside the labels of the agent, which have their texts", () => {
  const labels = { labelled: "of the agent", both: "also" };
  expect(withBookmarks(labels, new Set(["own", "both", "__proto__"]))).toEqual({
    ...labels,
    own: "",
    ["__proto__"]: "",
  });
  expect(withBookmarks(labels, new Set())).toBe(labels);
});
