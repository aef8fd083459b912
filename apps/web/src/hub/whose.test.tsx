import { CommandError, type CommandOutput } from "@sm/router/client";
import { screen, waitFor } from "@testing-library/react";
import { expect, it } from "vitest";
import { sessionRecord } from "../list/record.fixture.ts";
import { openPage, type PageOptions } from "../page.fixture.tsx";
import { dayOf } from "../statistics/days.ts";
import { dayOfUse, statisticsOf } from "../statistics/usage.fixture.ts";

const USERS = [
  { id: "u1", name: "ada", role: "member", is_me: true },
  { id: "u2", name: "grace", role: "member", is_me: false },
] as const;

const FROM_GRACE = {
  ...{ project: "/code/clocks", owner: "grace", everybody: true, users: [], sessions: 1 },
  shared_at: "2026-03-01T10:00:00.000Z",
};

const FOUND_NOTHING = {
  ...{ hits: [], next_cursor: null, total: 0 },
  indexing: { pending: 0 },
} as unknown as CommandOutput<"search">;

// Charts need a canvas.
const STATISTICS = "/statistics?table=calendar&table=days";

function open(address: string, { answers, ...options }: PageOptions = {}) {
  return openPage(address, {
    kind: "hub",
    sessions: [sessionRecord("Tides")],
    answers: {
      list_hub_users: [...USERS],
      list_shared_projects: [FROM_GRACE],
      search: FOUND_NOTHING,
      get_session_stats: statisticsOf([dayOfUse(dayOf(new Date()), 1_000, 1)]),
      ...answers,
    },
    ...options,
  });
}

type Page = Awaited<ReturnType<typeof open>>;

const ownersSearched = (page: Page) => page.asked("search").map(({ owner }) => owner);
/** Whose the charts are, which are of a year; what was spent is of weeks, and the year before ends. */
const ownersCounted = (page: Page) => {
  const asked = page.asked("get_session_stats").filter(({ since, until }) => until === undefined && isLongAgo(since));
  return asked.map(({ owner }) => owner);
};
const isLongAgo = (time: string | null | undefined) => Date.parse(time ?? "") < Date.now() - 300 * 86_400_000;

it("a search is of everybody's sessions, of one's own, or of somebody's", async () => {
  const page = await open("/search?q=tide");
  await waitFor(() => expect(ownersSearched(page)).toEqual([undefined]));
  const choose = async (name: string) => {
    await page.user.click(await screen.findByRole("button", { name: "Owner" }));
    await page.user.click(await screen.findByRole("menuitemradio", { name }));
  };
  await choose("Mine");
  await waitFor(() => expect(page.address()).toBe("/search?q=tide&mine=1"));
  await waitFor(() => expect(ownersSearched(page)).toEqual([undefined, "ada"]));
  await choose("grace");
  await waitFor(() => expect(page.address()).toBe("/search?q=tide&owner=grace"));
  await waitFor(() => expect(ownersSearched(page)).toEqual([undefined, "ada", "grace"]));
  await page.user.click(await screen.findByRole("button", { name: "Remove filter grace" }));
  await waitFor(() => expect(page.address()).toBe("/search?q=tide"));
});

it("statistics are of everybody's sessions, of one's own, or of somebody's, and so is what their marks lead to", async () => {
  const page = await open(STATISTICS);
  const choose = async (option: string) => {
    (await screen.findByRole("combobox", { name: "Owner" })).focus();
    await page.user.keyboard("{Enter}");
    await page.user.click(await screen.findByRole("option", { name: option }));
  };
  await waitFor(() => expect(ownersCounted(page)).toEqual([undefined]));
  await choose("grace");
  await waitFor(() => expect(page.address()).toBe(`${STATISTICS}&owner=grace`));
  await waitFor(() => expect(ownersCounted(page)).toEqual([undefined, "grace"]));
  const day = await screen.findAllByRole("link", { name: dayOf(new Date()) });
  await waitFor(() => expect(day[0]?.getAttribute("href")).toMatch(/^\/search\?.*&owner=grace$/));
  await choose("Mine");
  await waitFor(() => expect(page.address()).toBe(`${STATISTICS}&mine=1`));
  await waitFor(() => expect(ownersCounted(page)).toEqual([undefined, "grace", "ada"]));
});

it("without anything in the chosen sessions, all are offered", async () => {
  const page = await open("/statistics?owner=grace", { answers: { get_session_stats: statisticsOf([]) } });
  await page.user.click(await screen.findByRole("button", { name: "Show all time" }));
  await waitFor(() => expect(page.address()).toBe("/statistics?period=all"));
});

it("nobody's name is offered where nobody shares, but for that in the address", async () => {
  const page = await open("/search?q=tide", { answers: { list_shared_projects: [] } });
  await screen.findByText("No results");
  expect(screen.queryByRole("button", { name: "Owner" })).toBeNull();
  expect(page.asked("list_shared_projects")).toHaveLength(1);
});

it("a link names somebody who shares no more", async () => {
  const page = await open("/search?q=tide&owner=joan", { answers: { list_shared_projects: [] } });
  await page.user.click(await screen.findByRole("button", { name: "Owner" }));
  const joan = await screen.findByRole("menuitemradio", { name: "joan" });
  expect(joan.getAttribute("aria-checked")).toBe("true");
});

it("one's own sessions are not taken for everybody's while nobody knows who one is", async () => {
  const page = await open("/search?q=tide&mine=1", {
    answers: { list_hub_users: new CommandError("INTERNAL", "The database is away.") },
  });
  await screen.findByText("The database is away.");
  expect(page.asked("search")).toEqual([]);
  page.answer({ list_hub_users: [...USERS] });
  await page.user.click(screen.getByRole("button", { name: "Try again" }));
  await waitFor(() => expect(ownersSearched(page)).toEqual(["ada"]));
});

it("at home there are no owners", async () => {
  const page = await open("/search?q=tide&mine=1", { kind: "home" });
  await waitFor(() => expect(ownersSearched(page)).toEqual([undefined]));
  expect(screen.queryByRole("button", { name: "Owner" })).toBeNull();
  expect(page.asked("list_hub_users")).toEqual([]);
});
