import { piItem, type TreeEntry } from "@sm/core";
import { screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { sessionRecord } from "../../list/record.fixture.ts";
import { type Answers, openPage } from "../../page.fixture.tsx";

const SESSION = sessionRecord("Tides", { tool_call_count: 3 });
const ENTRY: TreeEntry = {
  ...{ id: "asked", parent_id: null, type: "message", kind: "message", role: "user", preview: "Change the gauge" },
  ...{ conversation: true, target_id: null, timestamp: null, label: null },
};
const DIFF = "@@ -4,1 +4,2 @@\n-const limit = 5;\n+const limit = 7;\n+const least = 1;\n";
const FILE = {
  path: "/home/user/tides/src/gauge.ts",
  moved_from: null,
  action: "edited" as const,
  added: 2,
  removed: 1,
  edits: [{ entry_id: "asked", timestamp: null, added: 2, removed: 1 }],
  diff: null as string | null,
  truncated: false,
};
const OTHER = { ...FILE, path: "docs/old.md", action: "deleted" as const, added: 0, removed: 3 };

function open(files: (typeof FILE | typeof OTHER)[], search = "&panel=changes", answers: Answers = {}) {
  return openPage(`/session?path=${encodeURIComponent(SESSION.path)}${search}`, {
    sessions: [SESSION],
    answers: {
      ...answers,
      list_notes: [],
      list_bookmarks: [],
      read_session_tree: [ENTRY],
      read_transcript: {
        ...{ leaf_id: "asked", leaves: ["asked"], labels: {}, total: 1, truncated_entries: [] },
        ...{ has_more_before: false, has_more_after: false, entries: [ENTRY] },
        items: [
          piItem(
            { type: "message", message: { role: "user", content: "Change the gauge" } },
            { id: "asked", parentId: null },
          ),
        ],
      },
      read_session_changes: ({ files: wanted }) => ({
        files: files.map((file) => ({ ...file, diff: wanted?.includes(file.path) === false ? null : DIFF })),
        added: 2,
        removed: 4,
        leaf_id: "asked",
        complete: true,
      }),
    },
  });
}

it("the files that a session changed are beside it, each with its diff and its edits", async () => {
  const page = await open([FILE, OTHER]);
  const list = await screen.findByRole("list", { name: "Changes" });
  expect(list.parentElement?.textContent).toContain("2 files");
  expect(list.textContent).toContain("old.md deleted");
  // No diff is asked for before one is opened.
  expect(page.asked("read_session_changes")).toEqual([{ path: SESSION.path, leaf_id: "asked", files: [] }]);
  await page.user.click(within(list).getByRole("button", { name: /gauge\.ts/ }));
  await within(list).findByText(/const least = 1;/);
  await page.user.click(within(list).getByRole("button", { name: /^Edit 1/ }));
  expect(page.address()).toContain("entry=asked");
  const others = within(list).getByRole("link", { name: "Sessions that touched this file" });
  expect(decodeURIComponent(others.getAttribute("href") ?? "")).toContain(`file:"${FILE.path}"`);
});

it("the changes are asked for when the pointer is on the way to them, and not again", async () => {
  const page = await open([FILE], "&panel=prompts");
  const choice = await screen.findByRole("radio", { name: "Changes" });
  await screen.findByRole("list", { name: "Prompts" });
  expect(page.asked("read_session_changes")).toEqual([]);
  await page.user.hover(choice);
  await waitFor(() => expect(page.asked("read_session_changes")).toHaveLength(1));
  await page.user.click(choice);
  await screen.findByRole("list", { name: "Changes" });
  expect(page.asked("read_session_changes")).toEqual([{ path: SESSION.path, leaf_id: "asked", files: [] }]);
});

it("the changes are copied as a patch", async () => {
  const page = await open([FILE]);
  await page.user.click(await screen.findByRole("button", { name: "Copy as patch" }));
  const patch = `--- a/home/user/tides/src/gauge.ts\n+++ b/home/user/tides/src/gauge.ts\n${DIFF}`;
  await waitFor(async () => expect(await navigator.clipboard.readText()).toBe(patch));
});

it("a key opens them, also where there are none", async () => {
  const page = await open([], "");
  await screen.findByText("Change the gauge");
  await page.user.keyboard("d");
  await screen.findByText("No file changes");
  expect(page.address()).toContain("panel=changes");
});

it("the header tells how much a session has changed, and keeps that until it knows better", async () => {
  const sums = { path: SESSION.path, files: 6, added: 182, removed: 40, complete: true };
  const page = await open([FILE], "", { list_change_sums: [sums] });
  // Its row in the list tells it, too.
  const header = await waitFor(() => {
    const found = screen.getAllByText(/6 files/).map((one) => one.closest("header"));
    return found.find((one) => one !== null) ?? Promise.reject(new Error("The header does not tell it."));
  });
  expect(header?.textContent).toContain("182 lines added, 40 removed+182 −40 · 6 files");
  expect(page.asked("list_change_sums")).toEqual([{ paths: [SESSION.path] }]);

  // Of a session that has grown, it is asked for again; what was known stays until then.
  page.answer({ list_change_sums: [{ ...sums, files: 0 }] });
  page.tell("sessions-diff", { added: [], updated: [{ ...SESSION, size_bytes: 2_000 }], removed: [] });
  expect(header?.textContent).toContain("6 files");
});
