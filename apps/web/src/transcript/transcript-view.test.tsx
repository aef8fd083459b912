import { type JsonObject, piItem, type TreeEntry } from "@sm/core";
import { screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { sessionRecord } from "../list/record.fixture.ts";
import { openPage } from "../page.fixture.tsx";

const PARENT = sessionRecord("Parent");
const RECORD = sessionRecord("Tides", { relation: "fork", parent_session_path: PARENT.path });

const call = (id: string, name: string, args: JsonObject) => ({ type: "toolCall", id, name, arguments: args });
const returned = (toolCallId: string, text: string) => ({
  role: "toolResult",
  toolCallId,
  toolName: "tool",
  content: [{ type: "text", text }],
});

const MESSAGES: JsonObject[] = [
  {
    role: "assistant",
    content: [
      call("w", "write", { path: "a.txt", content: "line\n".repeat(10) }),
      call("b", "bash", { command: "npm test" }),
    ],
  },
  returned("w", "Wrote 50 bytes to a.txt"),
  returned("b", "passed\nall of it"),
];
const ITEMS = MESSAGES.map((message, place) =>
  piItem({ type: "message", message }, { id: `e${place}`, parentId: place === 0 ? null : `e${place - 1}` }),
);
const ENTRIES = ITEMS.map(
  ({ id, parent_id }): TreeEntry => ({
    ...{ id, parent_id, type: "message", kind: "message", role: "assistant", preview: "" },
    ...{ conversation: true, target_id: null, timestamp: null, label: null },
  }),
);

async function open() {
  const page = await openPage(`/session?path=${encodeURIComponent(RECORD.path)}&entry=e0`, {
    sessions: [PARENT, RECORD],
    answers: {
      list_notes: [],
      list_bookmarks: [],
      read_session_tree: ENTRIES,
      read_transcript: {
        leaf_id: "e2",
        leaves: ["e2"],
        labels: {},
        total: ITEMS.length,
        has_more_before: false,
        has_more_after: false,
        truncated_entries: [],
        items: ITEMS,
        entries: ENTRIES,
      },
    },
  });
  await screen.findByRole("heading", { name: "Tides" });
  return page;
}

it("says how many lines were written to a file, not how many the tool has answered with", async () => {
  await open();
  await waitFor(() => expect(screen.getByRole("button", { name: /^write/ }).textContent).toBe("writea.txt+10"));
});

it("shows a command once, also while its call is open", async () => {
  const page = await open();
  const says = (text: string) =>
    waitFor(() => expect(screen.getByRole("button", { name: /^bash/ }).textContent).toBe(text));
  await says("bashnpm test2 lines");
  await page.user.click(screen.getByRole("button", { name: /^bash/ }));
  const transcript = screen.getByRole("region", { name: "Transcript" });
  await within(transcript).findByText("passed", { exact: false });
  // Colours of its syntax, which come when the page is idle, break the text up.
  await waitFor(() => expect(transcript.textContent?.match(/npm test/g)).toHaveLength(1));
  await says("bash2 lines");
});

it("names the session that a fork was made of, and leads there", async () => {
  const page = await open();
  const link = within(screen.getByRole("main")).getByRole("link", { name: "Forked from “Parent”" });
  await page.user.click(link);
  expect(page.address()).toContain(encodeURIComponent(PARENT.path));
});
