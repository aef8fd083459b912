import { expect, it } from "vitest";
import { offerUndo, undoLast } from "./undo.ts";

it("takes back what was done, the last first, and each once", () => {
  const undone: string[] = [];
  offerUndo({ undo: () => undone.push("first") });
  const forget = offerUndo({ undo: () => undone.push("forgotten") });
  offerUndo({ undo: () => undone.push("last") });
  forget();
  expect([undoLast(), undoLast(), undoLast()]).toEqual([true, true, false]);
  expect(undone).toEqual(["last", "first"]);
});

it("remembers a bounded number", () => {
  let undone = 0;
  for (let count = 0; count < 1_000; count++) offerUndo({ undo: () => void undone++ });
  while (undoLast());
  expect(undone).toBe(50);
});
