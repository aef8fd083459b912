import { act, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { openPage } from "../page.fixture.tsx";
import { sessionRecord } from "./record.fixture.ts";

const SESSIONS = Array.from({ length: 300 }, (_, number) => sessionRecord(`Session ${number}`));
const SCROLLS = 20;

it("rows that come into sight do not have the list laid out", async () => {
  await openPage("/?group=none", { sessions: SESSIONS });
  const grid = await screen.findByRole("grid");
  await screen.findAllByRole("row");
  let top = 0;
  let reads = 0;
  Object.defineProperty(grid, "scrollTop", {
    get: () => {
      reads++;
      return top;
    },
    set: (to: number) => {
      top = to;
    },
  });
  for (let scroll = 0; scroll < SCROLLS; scroll++) {
    top += 400;
    act(() => void grid.dispatchEvent(new Event("scroll")));
  }
  expect(screen.queryByRole("row", { name: /Session 0\b/ })).toBeNull();
  // By who shows the rows, and by who keeps the place, when they are told.
  expect(reads).toBeLessThanOrEqual(2 * SCROLLS);
});
