import { screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { openPage, type PageOptions } from "../page.fixture.tsx";
import { sessionRecord } from "./record.fixture.ts";
import { stateOf } from "./row-state.ts";
import { timeText } from "./row-time.tsx";

const rows = () => screen.queryAllByRole("row").filter((row) => row.hasAttribute("aria-selected"));
const row = (at: number) => rows()[at] as HTMLElement;
const selected = () => rows().flatMap((one, at) => (one.getAttribute("aria-selected") === "true" ? [at] : []));

async function open(sessions: PageOptions["sessions"], options: Omit<PageOptions, "sessions"> = {}) {
  const page = await openPage("/?group=none&sort=title", { ...options, ...(sessions !== undefined && { sessions }) });
  await waitFor(() => expect(rows()).toHaveLength(sessions?.length ?? 0));
  return page;
}

it("with shift, a box chooses all rows from the last box on, or no longer any of them", async () => {
  const { user } = await open(["A", "B", "C", "D", "E", "F"].map((name) => sessionRecord(name)));
  const tick = (at: number) => user.click(within(row(at)).getByRole("checkbox"));
  await tick(5);
  await tick(0);
  await user.keyboard("{Shift>}");
  await tick(3);
  await user.keyboard("{/Shift}");
  expect(selected()).toEqual([0, 1, 2, 3, 5]);
  await tick(2);
  expect(selected()).toEqual([0, 1, 3, 5]);
  await user.keyboard("{Shift>}");
  await tick(0);
  await user.keyboard("{/Shift}");
  expect(selected()).toEqual([3, 5]);
});

it("the box and the star of a row are named by their session", async () => {
  await open([sessionRecord("Tides"), sessionRecord("Waves", { is_favorite: true })]);
  within(row(0)).getByRole("checkbox", { name: "Select Tides" });
  within(row(0)).getByRole("button", { name: "Add Tides to favorites" });
  within(row(1)).getByRole("button", { name: "Remove Waves from favorites" });
});

it("the row of the open session looks other than a chosen one", async () => {
  const { user } = await open(["A", "B"].map((name) => sessionRecord(name)));
  await user.click(within(row(0)).getByRole("link"));
  await waitFor(() => expect(within(row(0)).getByRole("link").getAttribute("aria-current")).toBe("page"));
  await user.click(within(row(1)).getByRole("checkbox"));
  expect(row(0).classList.contains("bg-selected")).toBe(false);
  expect(row(1).classList.contains("bg-selected")).toBe(true);
  await user.click(within(row(0)).getByRole("checkbox"));
  expect(row(0).classList.contains("bg-selected")).toBe(true);
  expect(row(0).className).not.toBe(row(1).className);
});

it("a row says what was said last, how long it went on, what it cost and, in words, what its agent does", async () => {
  const usage = { ...sessionRecord("").usage, cost_usd: 1.5 };
  await open(
    [
      sessionRecord("A", {
        first_message: "Wind the clock",
        last_message: "The `clock` is **wound**.",
        created_at: "2026-03-01T10:00:00.000Z",
        modified_at: "2026-03-01T12:30:00.000Z",
        models: ["usual"],
        usage,
      }),
      sessionRecord("B", { models: ["usual"], usage: { ...usage, cost_usd: 0.001 } }),
      sessionRecord("C", { models: ["other"], is_live: true }),
    ],
    {
      answers: {
        get_coding_live_sessions: [
          { session_id: "c", session_path: "/sessions/C.jsonl", cwd: "/", state: "waiting", outcome: null, name: null },
        ] as never,
      },
    },
  );
  within(row(0)).getByText("The clock is wound.");
  within(row(0)).getByText("2h");
  within(row(0)).getByText("$1.50");
  expect(row(0).textContent).not.toContain("usual");
  expect(row(1).textContent).not.toContain("$");
  within(row(2)).getByText("other");
  await waitFor(() => within(row(2)).getByRole("img", { name: "Waiting for your answer" }));
  expect(within(row(0)).getByRole("link").title).toMatch(/\/home\/me\/project\n.*2026.*\n4 messages · \$1.50 · usual/);
});

it("a row says how the last run of its session has ended, unless an agent goes on with it", async () => {
  const failed = { outcome: "failed", outcome_message: "529 overloaded" } as const;
  await open([
    sessionRecord("A", failed),
    sessionRecord("B", { outcome: "aborted" }),
    sessionRecord("C", { ...failed, is_live: true }),
    sessionRecord("D", { ...failed, is_favorite: true }),
    sessionRecord("E"),
  ]);
  const sign = (at: number, name: string) => within(row(at)).queryByRole("img", { name });
  expect(sign(0, "The last run failed")?.closest("[title]")?.getAttribute("title")).toBe(
    "The last run failed: 529 overloaded",
  );
  expect(sign(1, "The last run was interrupted")).not.toBeNull();
  expect(sign(2, "The last run failed")).toBeNull();
  expect([sign(3, "The last run failed"), sign(3, "Favorite")]).not.toContain(null);
  expect(within(row(4)).queryAllByRole("img")).toEqual([]);
});

it("lists are filtered by how the last runs have ended", async () => {
  const page = await openPage("/?group=none&sort=title&q=is%3Afailed", {
    sessions: [sessionRecord("A", { outcome: "failed" }), sessionRecord("B", { outcome: "aborted" })],
  });
  await waitFor(() => expect(rows()).toHaveLength(1));
  within(row(0)).getByRole("img", { name: "The last run failed" });
  expect(page.address()).toContain("is%3Afailed");
});

it("rows say how much their sessions have changed, and ask for it at once, again only for what has grown", async () => {
  const sums = { files: 6, added: 182, removed: 40, complete: true };
  const sessions = ["A", "B", "C"].map((name) => sessionRecord(name, { tool_call_count: name === "C" ? 0 : 3 }));
  const paths = sessions.map(({ path }) => path);
  const page = await open(sessions, {
    answers: {
      list_change_sums: ({ paths }) =>
        paths.map((path) => ({ path, ...sums, files: path.includes("B") ? 0 : sums.files })),
    },
  });
  await waitFor(() => expect(row(0).textContent).toContain("182 lines added, 40 removed+182 −40 · 6 files"));
  expect(row(1).textContent).not.toContain("files");
  expect(page.asked("list_change_sums")).toEqual([{ paths: paths.slice(0, 2) }]);
  page.tell("sessions-diff", {
    added: [],
    updated: [sessionRecord("B", { tool_call_count: 4, title: "B", note_count: 1 })],
    removed: [],
  });
  page.tell("sessions-diff", { added: [sessionRecord("D", { tool_call_count: 1 })], updated: [], removed: [] });
  await waitFor(() => expect(page.asked("list_change_sums")).toHaveLength(2));
  expect(page.asked("list_change_sums")[1]).toEqual({ paths: ["/sessions/D.jsonl"] });
});

it.each([
  ["2026-03-01T11:55:10.000Z", true, "5m ago"],
  ["2026-03-01T11:59:40.000Z", true, "now"],
  ["2026-03-01T12:00:40.000Z", true, "now"],
  ["2026-03-01T07:10:00.000Z", false, "5h ago"],
  ["2026-02-20T11:00:00.000Z", false, "Feb 20"],
  ["2026-02-20T11:00:00.000Z", true, /^\d\d?:00 [AP]M$/],
])("at noon, %s is (by day: %j) %s", (time, isByDay, text) => {
  expect(timeText(time, isByDay, Date.parse("2026-03-01T12:00:00.000Z"))).toMatch(
    typeof text === "string" ? new RegExp(`^${text}$`) : text,
  );
});

it.each([
  [{ state: "waiting", outcome: null }, "asks"],
  [{ state: "streaming", outcome: null }, "running"],
  [{ state: "idle", outcome: null }, null],
  [{ state: "idle", outcome: { result: "failed", exit_code: null } }, "failed"],
  [{ state: "exited", outcome: { result: "exited", exit_code: 1 } }, "failed"],
  [{ state: "exited", outcome: { result: "exited", exit_code: 0 } }, null],
  [{ state: "idle", outcome: { result: "aborted", exit_code: null } }, "aborted"],
] as const)("%j is shown as %s", ({ state, outcome }, shown) => {
  const live = { state, outcome: outcome === null ? null : { ...outcome, error: null, ended_at: "2026-03-01T12" } };
  expect(stateOf(live, "2026-03-01T11")).toBe(shown);
  // What was written afterwards is of another run.
  if (outcome !== null) expect(stateOf(live, "2026-03-01T13")).toBeNull();
});
