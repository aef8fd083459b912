import { screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { openPage, type PageOptions } from "../page.fixture.tsx";
import { sessionRecord } from "./record.fixture.ts";

const rows = () => screen.queryAllByRole("row").filter((row) => row.hasAttribute("aria-selected"));
const row = (at: number) => rows()[at] as HTMLElement;
const selected = () => rows().flatMap((one, at) => (one.getAttribute("aria-selected") === "true" ? [at] : []));

async function open(sessions: PageOptions["sessions"], options: Omit<PageOptions, "sessions"> = {}) {
  const page = await openPage("/?group=none&sort=title", { ...options, ...(sessions !== undefined && { sessions }) });
  await waitFor(() => expect(rows()).toHaveLength(sessions?.length ?? 0));
  return page;
}

it("with shift, a box chooses all rows from the last box on, or no longer any of them", async () => {
  const { user } = await open(["A", "B", "C", "D", "E", "F"].map((name) => sessionRecord(name)));
  const tick = (at: number) => user.click(within(row(at)).getByRole("checkbox"));
  await tick(5);
  await tick(0);
  await user.keyboard("{Shift>}");
  await tick(3);
  await user.keyboard("{/Shift}");
  expect(selected()).toEqual([0, 1, 2, 3, 5]);
  await tick(2);
  expect(selected()).toEqual([0, 1, 3, 5]);
  await user.keyboard("{Shift>}");
  await tick(0);
  await user.keyboard("{/Shift}");
  expect(selected()).toEqual([3, 5]);
});

it("the row of the open session looks other than a chosen one", async () => {
  const { user } = await open(["A", "B"].map((name) => sessionRecord(name)));
  await user.click(within(row(0)).getByRole("link"));
  await waitFor(() => expect(within(row(0)).getByRole("link").getAttribute("aria-current")).toBe("page"));
  await user.click(within(row(1)).getByRole("checkbox"));
  expect(row(0).classList.contains("bg-selected")).toBe(false);
  expect(row(1).classList.contains("bg-selected")).toBe(true);
  await user.click(within(row(0)).getByRole("checkbox"));
  expect(row(0).classList.contains("bg-selected")).toBe(true);
  expect(row(0).className).not.toBe(row(1).className);
});
