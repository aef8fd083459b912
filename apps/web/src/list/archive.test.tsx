import { CommandError, type SessionRecord } from "@sm/router/client";
import { screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { openPage, type PageOptions } from "../page.fixture.tsx";
import { sessionRecord } from "./record.fixture.ts";

const OLD = sessionRecord("Old conversation", { archived_at: "2026-03-02T10:00:00.000Z" });
const SESSIONS = [sessionRecord("One conversation"), sessionRecord("Two conversation"), OLD];

const changed = ({ paths }: { paths: string[] }) => ({ changed: paths, failed: [] });
const grid = () => screen.findByRole("grid");
const titles = () =>
  screen
    .queryAllByRole("row")
    .filter((row) => row.hasAttribute("aria-selected"))
    .map((row) => within(row).getByRole("link").textContent);
const areShown = (expected: string[]) => waitFor(() => expect(titles()).toEqual(expected));
const notifications = () => screen.findByRole("region", { name: "Notifications" });

async function open(address = "/?group=none&sort=title", options: PageOptions = {}) {
  const page = await openPage(address, {
    sessions: SESSIONS,
    ...options,
    answers: { archive_session: changed, unarchive_session: changed, ...options.answers },
  });
  await screen.findAllByRole("row");
  return page;
}

it("a session is archived with a key, and comes back with another", async () => {
  const page = await open();
  await areShown(["One conversation", "Two conversation"]);
  (await grid()).focus();
  await page.user.keyboard("{ArrowDown}e");
  await areShown(["Two conversation"]);
  await within(await notifications()).findByText("Archived “One conversation”");
  expect(page.asked("archive_session")).toEqual([{ paths: ["/sessions/One conversation.jsonl"] }]);
  await page.user.keyboard("z");
  await areShown(["One conversation", "Two conversation"]);
  expect(page.asked("unarchive_session")).toEqual([{ paths: ["/sessions/One conversation.jsonl"] }]);
  await page.user.keyboard("z");
  expect(page.asked("archive_session")).toHaveLength(1);
});

it("what the service does not archive stays, with the reason", async () => {
  const page = await open(undefined, {
    answers: { archive_session: new CommandError("READ_ONLY", "The disk is full.") },
  });
  (await grid()).focus();
  await page.user.keyboard("{ArrowDown}e");
  await within(await notifications()).findByText(/The disk is full\./);
  await areShown(["One conversation", "Two conversation"]);
});

it("archived sessions have a list of their own, which they leave", async () => {
  const page = await open("/?archived=1&group=none");
  await areShown(["Old conversation"]);
  await screen.findByRole("heading", { name: "Archived", level: 1 });
  (await grid()).focus();
  await page.user.keyboard("{ArrowDown}e");
  await screen.findByText("Nothing is archived");
  await page.user.click(screen.getByRole("link", { name: /^Sessions/ }));
  await waitFor(() => expect(titles()).toContain("Old conversation"));
});

it("what is archived elsewhere leaves the list, and what is taken back comes", async () => {
  const page = await open();
  const [one] = SESSIONS as [SessionRecord];
  const tell = (record: SessionRecord) =>
    page.tell("sessions-diff", { added: [], updated: [record], removed: [] } as never);
  tell({ ...one, archived_at: "2026-03-02T10:00:00.000Z" });
  await areShown(["Two conversation"]);
  tell(one);
  tell({ ...OLD, archived_at: null });
  await areShown(["Old conversation", "One conversation", "Two conversation"]);
});

it("old sessions are archived after their number and size were told", async () => {
  const page = await open(undefined, {
    answers: {
      list_sessions: ({ query }) => ({
        sessions: SESSIONS.slice(0, 2),
        total: query === "-is:favorite -is:live" ? 1_234 : 2,
        total_size_bytes: 5_000_000,
        next_cursor: null,
        pending: 0,
      }),
    },
  });
  await page.user.click(screen.getByRole("button", { name: "Sort and group" }));
  await page.user.click(await screen.findByRole("menuitem", { name: "Archive old sessions…" }));
  const dialog = await screen.findByRole("dialog", { name: "Archive old sessions" });
  await within(dialog).findByText(/^1,234 sessions, 4\.8 MB\./);
  await page.user.click(within(dialog).getByRole("button", { name: "Archive" }));
  await within(await notifications()).findByText("Archived 2 sessions");
  expect(page.asked("archive_session")).toEqual([{ paths: SESSIONS.slice(0, 2).map(({ path }) => path) }]);
  const [asked] = page.asked("list_sessions").filter(({ query }) => query === "-is:favorite -is:live");
  expect(Date.now() - Date.parse(asked?.until ?? "")).toBeGreaterThanOrEqual(90 * 86_400_000);
});

it("a name, a tag and a star are taken back, the last first", async () => {
  const tag = { id: "tag-1", name: "Important", color: "#3a7fd5", parent_id: null, session_count: 0 };
  const page = await open(undefined, {
    answers: {
      list_tags: [tag] as never,
      rename_session: null as never,
      toggle_favorite: null as never,
      assign_tag: null as never,
      remove_tag: null as never,
    },
  });
  const path = "/sessions/One conversation.jsonl";
  (await grid()).focus();
  await page.user.keyboard("{ArrowDown}s{F2}");
  await page.user.clear(await screen.findByRole("textbox", { name: "Session name" }));
  await page.user.keyboard("A name{Enter}");
  await within(await notifications()).findByText("Renamed");
  await areShown(["A name", "Two conversation"]);
  (await grid()).focus();
  await page.user.keyboard("{Control>}z{/Control}");
  await areShown(["One conversation", "Two conversation"]);
  expect(page.asked("rename_session").at(-1)).toEqual({ path, name: "" });
  await page.user.keyboard("z");
  await waitFor(() => expect(page.asked("toggle_favorite")).toEqual([{ path }, { path }]));
});
