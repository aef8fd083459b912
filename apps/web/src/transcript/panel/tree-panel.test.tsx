import { piItem, type TreeEntry } from "@sm/core";
import { screen, within } from "@testing-library/react";
import { it } from "vitest";
import { sessionRecord } from "../../list/record.fixture.ts";
import { openPage } from "../../page.fixture.tsx";

const PARENT = { ...sessionRecord("Tides"), subagent_count: 1 };
const AGENT = { ...sessionRecord("Moons"), path: "/agent/sessions/moons.jsonl" };

const ENTRY: TreeEntry = {
  ...{ id: "asked", parent_id: null, type: "message", kind: "message", role: "user", preview: "Ask an agent" },
  ...{ conversation: true, target_id: null, timestamp: null, label: null },
};
const { path, id, title, format } = AGENT;
const TREE: TreeEntry[] = [
  ENTRY,
  {
    ...{ ...ENTRY, id: "result", parent_id: "asked", kind: "tool_result", role: "tool", preview: "Done." },
    subagents: [{ path, id, title, format, cost_usd: 0.25, estimated_cost_usd: null }],
  },
];

it("the tree leads to the sessions of agents, beneath the calls that have started them", async () => {
  const page = await openPage(`/session?path=${encodeURIComponent(PARENT.path)}&panel=tree`, {
    sessions: [PARENT, AGENT],
    answers: {
      list_notes: [],
      list_bookmarks: [],
      read_session_tree: TREE,
      read_transcript: {
        ...{ leaf_id: "result", leaves: ["result"], labels: {}, total: 1, truncated_entries: [] },
        ...{ has_more_before: false, has_more_after: false, entries: TREE.slice(0, 1) },
        items: [
          piItem(
            { type: "message", message: { role: "user", content: "Ask an agent" } },
            { id: "asked", parentId: null },
          ),
        ],
      },
    },
  });
  const tree = await screen.findByRole("list", { name: "Tree" });
  const link = await within(tree).findByRole("link", { name: /Moons.*\$0\.25/ });
  await page.user.click(link);
  await screen.findByRole("heading", { name: "Moons" });
});
