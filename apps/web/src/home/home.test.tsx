import type { CommandOutput } from "@sm/router/client";
import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, it } from "vitest";
import { sessionRecord } from "../list/record.fixture.ts";
import { openPage, type PageOptions } from "../page.fixture.tsx";
import { lastRead } from "../sessions/last-read.ts";
import { dayOf } from "../statistics/days.ts";

const NOW = new Date();
const at = (days: number) => new Date(NOW.getTime() - days * 86_400_000).toISOString();
const SESSIONS = ["One", "Two", "Three", "Four", "Five"].map((name, index) =>
  sessionRecord(name, { modified_at: at(index), last_message: `**Done** with ${name}` }),
);
const usage = { ...sessionRecord("").usage, cost_usd: 12.5, total_tokens: 1_000 };
const WEEK = {
  totals: { sessions: 14, messages: 320, user_messages: 100, tool_calls: 0, usage },
  by_day: [{ date: dayOf(NOW), messages: 320, usage }],
} as unknown as CommandOutput<"get_session_stats">;

beforeEach(() => lastRead.set([]));

const open = (options: PageOptions = {}) =>
  openPage("/", { sessions: SESSIONS, ...options, answers: { get_session_stats: WEEK, ...options.answers } });
const section = (name: string) => screen.findByRole("region", { name });
const links = async () => within(await section("Continue where you left off")).getAllByRole("link");
const titles = async () => (await links()).map((link) => link.querySelector("span > span")?.textContent);

it("three sessions lead on: those that were read, then the newest", async () => {
  lastRead.set(["/sessions/gone.jsonl", "/sessions/Four.jsonl"]);
  const page = await open();
  expect(await titles()).toEqual(["Four", "One", "Two"]);
  const [first] = await links();
  expect(first?.textContent).toContain("Done with Four");
  await page.user.click(first as HTMLElement);
  await waitFor(() => expect(new URLSearchParams(location.search).get("path")).toBe("/sessions/Four.jsonl"));
});

it("projects that end alike are told apart, and a table is text without its bars", async () => {
  const text = "It waits longer: | attempt | waits | | --- | --- | | 1 | 100 ms |";
  await open({
    sessions: [
      sessionRecord("One", { cwd: "/home/me/tides/app", last_message: text }),
      sessionRecord("Two", { cwd: "/home/me/clock/app" }),
    ],
  });
  const [first, second] = await links();
  expect(first?.textContent).toMatch(/tides\/app.*It waits longer: attempt waits 1 100 ms/);
  expect(second?.textContent).toContain("clock/app");
});

it("a session that was open is the first one to go on with", async () => {
  await openPage(`/session?path=${encodeURIComponent("/sessions/Five.jsonl")}`, { sessions: SESSIONS });
  await waitFor(() => expect(lastRead.get()).toEqual(["/sessions/Five.jsonl"]));
});

it("the week has its cost, and words for what its bars show", async () => {
  const page = await open();
  const week = await section("Last 7 days");
  await within(week).findByText("$12.50");
  within(week).getByText("14 sessions");
  const days = within(week).getAllByRole("listitem");
  expect(days).toHaveLength(7);
  expect(days.at(-1)?.textContent).toMatch(/320 messages · \$12\.50/);
  expect(days[0]?.textContent).toMatch(/: no messages/);
  await page.user.click(within(week).getByRole("link", { name: "Last 7 days" }));
  await waitFor(() => expect(page.address()).toBe("/statistics?period=7-days"));
});

it("a week without messages says so, without empty bars", async () => {
  await open({ answers: { get_session_stats: { ...WEEK, totals: { ...WEEK.totals, messages: 0 }, by_day: [] } } });
  await screen.findByText("No messages in this period.");
  expect(within(await section("Last 7 days")).queryByRole("listitem")).toBeNull();
});

it("agents are asked for only where they are known to be in use, and lead to what they ask", async () => {
  const quiet = await open();
  await section("Last 7 days");
  expect(quiet.asked("list_terminals")).toEqual([]);
  expect(screen.queryByRole("heading", { name: /^Waiting/ })).toBeNull();
});

it("an agent that waits is there with its question", async () => {
  const page = await open({
    sessions: [...SESSIONS, sessionRecord("Live", { is_live: true })],
    answers: {
      list_terminals: [],
      get_coding_live_sessions: [
        {
          ...{ session_id: "s", session_path: null, cwd: "/home/me/tides", pid: 1, state: "waiting", model: null },
          ...{ thinking_level: null, started_at: at(0), last_event_at: at(0), pending_messages: 0, name: "Asks" },
          question: { kind: "confirm", title: "Delete the table?", asked_at: at(0) },
          ...{ context_window: null, activity: null, outcome: null, controllable: true },
        },
      ],
    },
  });
  const main = within(screen.getByRole("main"));
  await page.user.click(await main.findByRole("link", { name: /Asks.*Delete the table\?/ }));
  await waitFor(() => expect(page.address()).toBe("/live?session=s"));
});

it("what expires leads to the list of it", async () => {
  const page = await open({ sessions: [...SESSIONS, sessionRecord("Old", { expires_at: at(-2) })] });
  await page.user.click(await screen.findByRole("link", { name: "1 session will soon be deleted by its agent" }));
  await waitFor(() => expect(new URLSearchParams(location.search).get("q")).toBe("is:expiring"));
});

it("without any session there is nothing to go on with, and no key for a list", async () => {
  await open({ sessions: [], answers: { get_agent_homes: [] } });
  await screen.findByText("Nothing to read yet");
  const main = within(screen.getByRole("main"));
  expect(main.queryByText(/Move in the list|Search all sessions/)).toBeNull();
  main.getByText("All keyboard shortcuts");
  expect(main.queryByRole("region")).toBeNull();
});
