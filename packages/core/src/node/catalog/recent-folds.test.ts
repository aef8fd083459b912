import { describe, expect, it } from "vitest";
import { SessionFold } from "../../session/session-fold.ts";
import { RecentFolds } from "./recent-folds.ts";

const progress = (bytes: number, fingerprint = "a") => ({ bytes, endsInLf: true, fingerprint });

/** A fold of so many entries, with a state of no length. */
function foldOf(entries: number) {
  const fold = new SessionFold();
  for (let n = 0; n < entries; n++) fold.add({ type: "message", id: `e${n}`, message: { role: "user" } }, n * 10, 9);
  expect(fold.outline.count).toBe(entries);
  return { fold, stateLength: 0 };
}

describe("RecentFolds", () => {
  it("hands over a fold once", () => {
    const folds = new RecentFolds(1_000_000);
    const kept = foldOf(3);
    folds.put(1, { ...kept, progress: progress(30) });
    expect(folds.take(1, progress(30))).toBe(kept.fold);
    expect(folds.take(1, progress(30))).toBeNull();
  });

  it.each([
    ["of another length", progress(40)],
    ["of other bytes", progress(30, "b")],
  ])("forgets a fold when the content turns out to be %s", (_, present) => {
    const folds = new RecentFolds(1_000_000);
    folds.put(1, { ...foldOf(3), progress: progress(30) });
    expect(folds.take(1, present)).toBeNull();
    expect(folds.take(1, progress(30))).toBeNull();
  });

  it("has room for the latest only", () => {
    const folds = new RecentFolds(64 * 10);
    for (const key of [1, 2, 3]) folds.put(key, { ...foldOf(4), progress: progress(30) });
    expect([1, 2, 3].map((key) => folds.take(key, progress(30)) !== null)).toEqual([false, true, true]);
    folds.put(4, { ...foldOf(11), progress: progress(30) });
    expect(folds.take(4, progress(30))).toBeNull();
  });
});
