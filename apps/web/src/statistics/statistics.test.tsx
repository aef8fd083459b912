import { CommandError, type CommandInput } from "@sm/router/client";
import { screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { sessionRecord } from "../list/record.fixture.ts";
import { openPage } from "../page.fixture.tsx";
import { railCollapsed } from "../rail/rail-size.ts";
import { addDays, dayOf } from "./days.ts";
import { dayOfUse, statisticsOf, sumOf } from "./usage.fixture.ts";

// Charts need a canvas.
const ADDRESS = "/statistics?period=30-days&measure=cost&table=days&table=calendar";
const TODAY = dayOf(new Date());
const NO_BUDGET = { day_usd: null, week_usd: null, month_usd: null };

/** A service whose sessions have cost so much today, and as much as asked for in the period before. */
function answers(today: number, before = today) {
  const ago = addDays(TODAY, -40);
  return {
    get_budget: { ...NO_BUDGET, day_usd: 10 },
    get_session_stats: ({ until }: CommandInput<"get_session_stats">) =>
      until === undefined
        ? statisticsOf([dayOfUse(TODAY, 1_000, today)], {
            activity_blocks: [
              {
                start: new Date(Date.now() - 3_600_000).toISOString(),
                end: new Date(Date.now() + 90 * 60_000 - 1_000).toISOString(),
                ...sumOf(1, 0.5),
              },
            ],
          })
        : statisticsOf([dayOfUse(ago, 500, before)]),
  };
}

it("what is left of the budget and of five hours is told, and a budget that is nearly used is marked", async () => {
  await openPage(ADDRESS, { answers: answers(8.5) });
  const section = await screen.findByRole("region", { name: "Budget" });
  expect((await within(section).findByText("$1.50 left")).textContent).toBe("$1.50 left");
  expect(within(section).getByRole("meter", { name: "Today" }).getAttribute("aria-valuetext")).toBe("85% used");
  expect(section.textContent).toContain("$8.50 of $10.00");
  expect(section.textContent).toContain("1 h 30 min left");
  const mark = await screen.findByRole("img", { name: "Today: 85% of the budget used" });
  expect(mark.closest("a")?.getAttribute("href")).toBe("/statistics");
});

it("below 80 % nothing is marked", async () => {
  await openPage(ADDRESS, { answers: answers(7.9) });
  await screen.findByText("$2.10 left");
  expect(screen.queryByRole("img", { name: /of the budget used/ })).toBeNull();
});

it("the mark is there wherever one is", async () => {
  await openPage("/", { answers: answers(12) });
  await screen.findByRole("img", { name: "Today: 120% of the budget used" });
});

it("a budget that is nearly used is marked in the narrow navigation too", async () => {
  railCollapsed.set(true);
  try {
    await openPage("/", { answers: answers(8.5) });
    await screen.findByRole("link", { name: /^Statistics.*85% of the budget used/ });
  } finally {
    railCollapsed.set(false);
  }
});

it("without a budget the service is not asked what was spent before somebody looks", async () => {
  const page = await openPage("/", { answers: { ...answers(100), get_budget: NO_BUDGET } });
  await waitFor(() => expect(page.asked("get_budget")).toHaveLength(1));
  expect(page.asked("get_session_stats")).toEqual([]);
});

it("a budget is set, in the dialog of its button", async () => {
  const page = await openPage(ADDRESS, {
    answers: { ...answers(1), save_budget: (budget: CommandInput<"save_budget">) => budget },
  });
  await page.user.click(await screen.findByRole("button", { name: "Set a budget" }));
  const week = await screen.findByRole("textbox", { name: "This week (USD)" });
  await page.user.type(week, "many");
  const save = screen.getByRole("button", { name: "Save" }) as HTMLButtonElement;
  expect(save.disabled).toBe(true);
  await page.user.clear(week);
  await page.user.type(week, "40,5");
  await page.user.clear(screen.getByRole("textbox", { name: "Today (USD)" }));
  await page.user.click(save);
  await waitFor(() => expect(page.asked("save_budget")).toEqual([{ ...NO_BUDGET, week_usd: 40.5 }]));
  await screen.findByText("$39.50 left");
  expect(screen.queryByRole("dialog")).toBeNull();
});

it("sums are compared with the period before, in words, too", async () => {
  const page = await openPage(ADDRESS, { answers: answers(3, 2) });
  const cost = (await screen.findByText("Cost", { selector: "dt" })).parentElement;
  await waitFor(() => expect(cost?.textContent).toContain("▲ 50%"));
  expect(cost?.textContent).toContain("50% more than in the previous period");
  const ranges = page.asked("get_session_stats").filter(({ until }) => until !== undefined);
  expect(ranges).toHaveLength(1);
});

it("days are told apart by project, in the table too", async () => {
  const page = await openPage(ADDRESS, {
    answers: {
      ...answers(3),
      get_session_stats: ({ stack_by }: CommandInput<"get_session_stats">) =>
        statisticsOf([dayOfUse(TODAY, 1_000, 3)], {
          stacks:
            stack_by !== "project"
              ? null
              : [
                  { name: "/home/me/tides", is_rest: false, by_day: [{ date: TODAY, ...sumOf(900, 2) }] },
                  { name: null, is_rest: true, by_day: [{ date: TODAY, ...sumOf(100, 1) }] },
                ],
        }),
    },
  });
  await page.user.click(await screen.findByRole("radio", { name: "Projects" }));
  const table = await screen.findByRole("region", { name: "By day" });
  const link = await within(table).findByRole("link", { name: TODAY });
  expect(decodeURIComponent(link.getAttribute("href") ?? "")).toContain('project:"/home/me/tides"');
  const rows = within(table)
    .getAllByRole("row")
    .map((row) => row.textContent);
  expect(rows).toHaveLength(3);
  expect(rows[2]).toContain("/home/me/tides2900");
  expect(page.address()).toContain("stack=project");
});

it("projects of one name are told apart", async () => {
  const [code, old] = ["/home/me/code/tides", "/home/me/old/tides"];
  const sessions = [sessionRecord("a", { cwd: code }), sessionRecord("b", { cwd: old })];
  await openPage("/statistics?table=days&table=calendar", {
    sessions,
    answers: {
      ...answers(3),
      get_session_stats: statisticsOf([dayOfUse(TODAY, 1_000, 3)], {
        by_project: [code, old].map((project) => ({ project, sessions: 1, ...sumOf(500, 1) })),
        longest_sessions: sessions,
      }),
    },
  });
  const projects = within(await screen.findByRole("region", { name: "Projects" }));
  await projects.findByRole("link", { name: /^code\/tides/ });
  projects.getByRole("link", { name: /^old\/tides/ });
  within(screen.getByRole("region", { name: "Longest sessions" })).getByRole("link", { name: /^b.*old\/tides/ });
});

it("what was spent may not be computed, which is said", async () => {
  const page = await openPage(ADDRESS, {
    answers: {
      ...answers(1),
      get_session_stats: ({ since }: CommandInput<"get_session_stats">) =>
        since === undefined ? statisticsOf([]) : new CommandError("INTERNAL", "The index cannot be read."),
    },
  });
  const section = within(await screen.findByRole("region", { name: "Budget" }));
  await section.findByText("Could not compute what was spent");
  page.answer(answers(8.5));
  await page.user.click(section.getByRole("button", { name: "Try again" }));
  await section.findByText("$1.50 left");
});
