import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { openPage } from "../page.fixture.tsx";
import { sessionRecord } from "./record.fixture.ts";

const OF_PI = sessionRecord("Written by pi");
const OF_CLAUDE = sessionRecord("Written by another", {
  format: "claude-code",
  capabilities: { rename: true, fork: false, delete: true, start: false, resume_command: "cd /p && claude --resume 1" },
});

const row = async (title: string) => {
  const link = await screen.findByRole("link", { name: title });
  return link.closest<HTMLElement>("[role=row]") ?? link;
};

async function itemsOf(title: string): Promise<(string | null)[]> {
  fireEvent.contextMenu(await row(title), { clientX: 10, clientY: 10 });
  const menu = await screen.findByRole("menu");
  return within(menu)
    .getAllByRole("menuitem")
    .map(({ textContent }) => textContent);
}

it("agents that are found are told of once", async () => {
  await openPage("/", { sessions: [OF_PI, OF_CLAUDE] });
  await screen.findByText("This list also has sessions from Claude Code.");
});

it("rows name their agents where there are several, and the list is narrowed to one", async () => {
  const page = await openPage("/", { sessions: [OF_PI, OF_CLAUDE] });
  within(await row("Written by pi")).getByText("pi");
  within(await row("Written by another")).getByText("Claude Code");
  await page.user.click(screen.getByRole("button", { name: "Filters" }));
  (await screen.findByRole("menuitem", { name: "Agent" })).focus();
  await page.user.keyboard("{ArrowRight}");
  (await screen.findByRole("menuitemcheckbox", { name: "Claude Code" })).focus();
  await page.user.keyboard("{Enter}");
  await waitFor(() => expect(page.address()).toBe("/?agent=claude-code"));
  await row("Written by another");
  expect(screen.queryByRole("link", { name: "Written by pi" })).toBeNull();
  await page.user.click(screen.getByRole("button", { name: "Remove filter Claude Code" }));
  await row("Written by pi");
});

it("a library of one agent says nothing of it", async () => {
  const page = await openPage("/", { sessions: [OF_PI] });
  expect(within(await row("Written by pi")).queryByText("pi")).toBeNull();
  await page.user.click(screen.getByRole("button", { name: "Filters" }));
  await screen.findByRole("menu");
  expect(screen.queryByRole("menuitem", { name: "Agent" })).toBeNull();
});

it.each([
  ["Written by pi", true],
  ["Written by another", false],
])("the menu of %s has what can be done with it", async (title, canStart) => {
  await openPage("/", { sessions: [OF_PI, OF_CLAUDE] });
  const items = await itemsOf(title);
  expect(items.some((item) => item?.startsWith("Resume as a live session"))).toBe(canStart);
  expect(items).toContain("Copy resume command");
});

it("the keys of what cannot be done do nothing", async () => {
  const page = await openPage(`/session?path=${OF_CLAUDE.path}`, { sessions: [OF_PI, OF_CLAUDE] });
  await screen.findByRole("button", { name: "Copy resume command" });
  await page.user.keyboard("{Shift>}R{/Shift}");
  expect(page.asked("start_coding_session")).toEqual([]);
  await page.user.click(screen.getByRole("button", { name: "Copy resume command" }));
  await waitFor(async () => expect(await navigator.clipboard.readText()).toBe("cd /p && claude --resume 1"));
});

it("subagents are unfolded below their session with the pointer or the keys, and folded again", async () => {
  const usage = { ...OF_CLAUDE.usage, estimated_cost_usd: 0.12 };
  const parent = { ...OF_CLAUDE, subagent_count: 2, subagent_usage: usage };
  const below = ["Scout", "Worker"].map((name) =>
    sessionRecord(name, { format: "claude-code", relation: "subagent", parent_session_path: parent.path }),
  );
  const page = await openPage("/?group=none&sort=title", {
    answers: {
      list_sessions: ({ parent_path }) => {
        const sessions = parent_path === undefined ? [parent, OF_PI] : below;
        return { sessions, total: sessions.length, next_cursor: null, pending: 0, total_size_bytes: null };
      },
    },
  });
  const titles = () => screen.getAllByRole("row").map((one) => within(one).getByRole("link").textContent);
  await row("Written by another");
  const unfold = () => screen.getByRole("button", { name: "2 subagents · ≈ $0.12" });
  await page.user.click(unfold());
  await row("Scout");
  expect(titles()).toEqual(["Written by another", "Scout", "Worker", "Written by pi"]);
  expect(unfold().getAttribute("aria-expanded")).toBe("true");
  screen.getByText("2 sessions");
  screen.getByRole("grid").focus();
  // From the second subagent to their session, which folds them.
  await page.user.keyboard("{Home}{ArrowDown}{ArrowDown}{ArrowLeft}{ArrowLeft}");
  await waitFor(() => expect(titles()).toEqual(["Written by another", "Written by pi"]));
  await page.user.keyboard("{ArrowRight}");
  await row("Worker");
});

it("limits of an account are told with their session", async () => {
  const limits = [
    { used_percent: 52.5, window_minutes: 300, resets_at: null },
    { used_percent: 12, window_minutes: 10_080, resets_at: "2026-03-04T12:00:00.000Z" },
  ];
  const session = { ...OF_CLAUDE, rate_limits: limits };
  await openPage(`/session?path=${session.path}`, { sessions: [OF_PI, session] });
  const { title } = await screen.findByText("Limits: 52.5% · 12%");
  expect(title).toMatch(
    /^Limits of the account as of Mar 1, 2026.*\n52.5% of 5 hours\n12% of 7 days, until Mar 4, 2026/,
  );
});
