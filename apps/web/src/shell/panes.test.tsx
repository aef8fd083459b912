import { piItem, type TreeEntry } from "@sm/core";
import { screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { sessionRecord } from "../list/record.fixture.ts";
import { openPage } from "../page.fixture.tsx";

const SESSIONS = ["One", "Two", "Three"].map((name) => sessionRecord(name));
const pathOf = (title: string) => SESSIONS.find((record) => record.title === title)?.path ?? "";
const ENTRY: TreeEntry = {
  id: "first",
  parent_id: null,
  type: "message",
  kind: "message",
  role: "user",
  preview: "says first",
  conversation: true,
  target_id: null,
  timestamp: null,
  label: null,
};
const ITEM = piItem({ type: "message", message: { role: "user", content: "says" } }, { id: "first", parentId: null });

async function open(address = "/?group=none&sort=title") {
  const page = await openPage(address, {
    sessions: SESSIONS,
    answers: {
      list_notes: [],
      list_bookmarks: [],
      read_session_tree: [ENTRY],
      read_transcript: {
        leaf_id: "first",
        leaves: ["first"],
        labels: {},
        total: 1,
        has_more_before: false,
        has_more_after: false,
        truncated_entries: [],
        items: [ITEM],
        entries: [ENTRY],
      },
    },
  });
  await screen.findAllByRole("row");
  return page;
}

const isOpen = (title: string) =>
  waitFor(() => expect(new URLSearchParams(location.search).get("path")).toBe(pathOf(title)));
const hasFocus = async (element: Promise<HTMLElement>) => {
  const wanted = await element;
  await waitFor(() => expect(document.activeElement).toBe(wanted));
};
const list = () => screen.findByRole("grid");
const text = () => screen.findByRole("region", { name: "Transcript" });

it.each([
  ["Enter", "{Enter}", "{Escape}"],
  ["the arrow to the right", "{ArrowRight}", "{ArrowLeft}"],
])("%s goes from the list into a session, another key back", async (_, there, back) => {
  const page = await open();
  await page.user.keyboard(`{ArrowDown}{ArrowDown}${there}`);
  await isOpen("Three");
  await hasFocus(text());
  await page.user.keyboard(back);
  await hasFocus(list());
  // It is open already.
  await page.user.keyboard(there);
  await hasFocus(text());
});

it("Space shows a session and stays in the list, where keys go on", async () => {
  const page = await open();
  await page.user.keyboard("j ");
  await isOpen("One");
  await text();
  await hasFocus(list());
  await page.user.keyboard("j ");
  await isOpen("Three");
  await hasFocus(list());
  expect(screen.queryByRole("toolbar")).toBeNull();
  await page.user.keyboard("x");
  await screen.findByText("1 selected");
});

it("what is clicked while a session is on its way keeps the focus", async () => {
  const page = await open();
  await page.user.keyboard("j{Enter}f");
  await isOpen("One");
  await text();
  await hasFocus(screen.findByRole("searchbox"));
});

it("one key does one thing in the list of keys, and looks the same everywhere", async () => {
  const page = await open(`/session?path=${encodeURIComponent(pathOf("One"))}`);
  await text();
  await page.user.keyboard("?");
  const dialog = await screen.findByRole("dialog", { name: "Keyboard shortcuts" });
  const keysOf = (group: HTMLElement) =>
    [...group.querySelectorAll("dd > span")].map((keys) =>
      [...keys.querySelectorAll("kbd")].map((cap) => cap.textContent).join(" "),
    );
  const groups = within(dialog)
    .getAllByRole("heading", { level: 3 })
    .map((heading) => [heading.textContent, keysOf(heading.parentElement as HTMLElement)] as const);
  const ofList = groups.find(([name]) => name === "While the list has the focus")?.[1] ?? [];
  const others = groups.filter(([name]) => name !== "While the list has the focus").flatMap(([, keys]) => keys);
  expect(ofList).toEqual(expect.arrayContaining(["↓", "J", "Space", "↵", "X", "Del"]));
  expect(others.filter((keys, at) => others.indexOf(keys) !== at)).toEqual([]);
  expect(others).toEqual(expect.arrayContaining(["[", "Ctrl B", "Home", "End", "F2", "Esc", "←"]));
});
