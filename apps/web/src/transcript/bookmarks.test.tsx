import { piItem, type TreeEntry } from "@sm/core";
import { CommandError, type CommandInput } from "@sm/router/client";
import { screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { sessionRecord } from "../list/record.fixture.ts";
import { type Answers, openPage } from "../page.fixture.tsx";

const RECORD = sessionRecord("Tides");
const { path } = RECORD;
const IDS = ["first", "second", "labelled"];
const ENTRIES = IDS.map(
  (id, place): TreeEntry => ({
    id,
    parent_id: IDS[place - 1] ?? null,
    type: "message",
    kind: "message",
    role: "user",
    preview: `says ${id}`,
    conversation: true,
    target_id: null,
    timestamp: null,
    label: null,
  }),
);
const ITEMS = ENTRIES.map(({ id, parent_id }) =>
  piItem({ type: "message", message: { role: "user", content: `says ${id}` } }, { id, parentId: parent_id }),
);

/** Opens the session at its first entry, on a service that keeps bookmarks. */
async function open(answers: Answers = {}) {
  const bookmarked: string[] = [];
  const page = await openPage(`/session?path=${encodeURIComponent(path)}&entry=first`, {
    sessions: [RECORD],
    answers: {
      list_notes: [],
      read_session_tree: ENTRIES,
      read_transcript: ({ after }: CommandInput<"read_transcript">) => {
        const items = after === undefined ? ITEMS : [];
        return {
          leaf_id: "labelled",
          leaves: ["labelled"],
          labels: { labelled: "of the agent" },
          total: ITEMS.length,
          has_more_before: false,
          has_more_after: false,
          truncated_entries: [],
          items,
          entries: after === undefined ? ENTRIES : [],
        };
      },
      list_bookmarks: () => [
        ...bookmarked.map((entry_id) => ({ path, entry_id, label: null, created_at: "2026-03-01T12:00:00.000Z" })),
        { path, entry_id: "labelled", label: "of the agent", created_at: null },
      ],
      set_bookmark: ({ entry_id, bookmarked: isSet }: CommandInput<"set_bookmark">) => {
        if (isSet) bookmarked.push(entry_id);
        else bookmarked.splice(bookmarked.indexOf(entry_id), 1);
        return { path, entry_id, bookmarked: isSet };
      },
      ...answers,
    },
  });
  await screen.findByRole("heading", { name: "Tides" });
  return { page, bookmarked, changes: () => page.asked("set_bookmark").map(({ bookmarked: isSet }) => isSet) };
}

const notifications = () => screen.findByRole("region", { name: "Notifications" });

it("a key bookmarks the current entry, another takes it back", async () => {
  const { page, bookmarked, changes } = await open();
  await page.user.keyboard("m");
  await within(await notifications()).findByText("Bookmark added");
  expect(page.asked("set_bookmark")).toEqual([{ path, entry_id: "first", bookmarked: true }]);
  await waitFor(() => expect(page.asked("list_bookmarks").length).toBeGreaterThan(1));
  await page.user.keyboard("z");
  await waitFor(() => expect(changes()).toEqual([true, false]));
  expect(bookmarked).toEqual([]);
});

it("the same key removes a bookmark", async () => {
  const { page, changes } = await open();
  await page.user.keyboard("m");
  await within(await notifications()).findByText("Bookmark added");
  await page.user.keyboard("m");
  await within(await notifications()).findByText("Bookmark removed");
  expect(changes()).toEqual([true, false]);
});

it("what the service does not take is said", async () => {
  const { page } = await open({ set_bookmark: new CommandError("READ_ONLY", "The disk is full.") });
  await page.user.keyboard("m");
  await within(await notifications()).findByText(/The disk is full\./);
});
