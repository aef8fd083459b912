import type { JsonObject } from "@sm/core";
import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";
import type { LiveSession } from "../agents/use-live-sessions.ts";
import { type Answers, openPage, type TestPage } from "../page.fixture.tsx";
import { liveSession, madeAt, StoredSession } from "./live.fixture.ts";

const USAGE = { input: 2_000, output: 48, cacheRead: 0, cacheWrite: 0, totalTokens: 2_048 };
const text = (words: string) => [{ type: "text", text: words }];
const CALL = { type: "toolCall", id: "call", name: "edit", arguments: { path: "gauge.ts" } };

const MESSAGES: JsonObject[] = [
  { role: "user", content: "Change the gauge" },
  { role: "assistant", content: [...text("I look at the gauge."), CALL], usage: USAGE },
  { role: "toolResult", toolCallId: "call", toolName: "edit", content: text("Done") },
  { role: "assistant", content: text("The gauge is changed."), usage: USAGE },
];

const FILE = {
  ...{ path: "/home/me/project/gauge.ts", moved_from: null, action: "edited" as const, added: 2, removed: 1 },
  ...{ edits: [{ entry_id: "e1", timestamp: null, added: 2, removed: 1 }], diff: null, truncated: false },
};

let seq = 0;
const record = (event: JsonObject) => {
  seq += 1;
  return { seq, timestamp: new Date().toISOString(), event };
};
const said = (role: string, words: string, place: number) =>
  record({ type: "message_end", message: { role, content: text(words), timestamp: madeAt(place) } });
const started = () => record({ type: "message_start", message: { role: "assistant", content: [] } });
const written = (words: string) =>
  record({ type: "message_update", assistantMessageEvent: { type: "text_delta", contentIndex: 0, delta: words } });

interface Opened {
  page: TestPage;
  stored: StoredSession;
  session: LiveSession;
  /** Has the agent say something. */
  say(entry: ReturnType<typeof record>): void;
}

/** Opens an agent that works on a stored session, at its own address or at that of the session. */
async function open(name: string, { search = "", at = "/live", answers = {} as Answers } = {}): Promise<Opened> {
  const stored = new StoredSession(name, MESSAGES);
  const { path } = stored.record;
  const session = liveSession(name, { session_path: path, state: "streaming", context_window: 8_192 });
  const address = at === "/live" ? `/live?session=${name}` : `/session?path=${encodeURIComponent(path)}`;
  const page = await openPage(address + search, {
    sessions: [stored.record],
    answers: {
      ...stored.answers,
      get_coding_live_sessions: [session],
      get_coding_agent_entries: { entries: [], next_seq: seq, has_gap: false },
      ...answers,
    },
  });
  await screen.findByText("The gauge is changed.");
  page.tell("hello", {} as never);
  await screen.findByRole("textbox", { name: "Prompt" });
  // What it is asked for again has come.
  await waitFor(() => expect(page.asked("get_coding_agent_entries").length).toBeGreaterThan(0));
  return {
    ...{ page, stored, session },
    say: (entry) => page.tell("live-session-event", { session_id: name, seq: entry.seq, event: entry.event } as never),
  };
}

async function header(): Promise<HTMLElement> {
  const title = await within(await screen.findByRole("main")).findByRole("heading", { level: 1 });
  return title.closest("header") as HTMLElement;
}
const transcript = () => screen.findByRole("region", { name: "Transcript" });
const button = async (name: string) => within(await header()).getByRole("button", { name });

it.each(["/live", "/session"])("what the agent says stands at the end, until it is stored: %s", async (at) => {
  const { page, stored, say } = await open(`Streams ${at.slice(1)}`, { at });
  say(said("user", "And now?", 4));
  say(started());
  say(written("It is "));
  await screen.findByText("And now?");
  await screen.findByText("It is");
  say(said("assistant", "It is calm.", 5));
  await screen.findByText("It is calm.");
  const all = within(await transcript());
  expect(all.getAllByText("And now?")).toHaveLength(1);
  stored.append({ role: "user", content: text("And now?") });
  stored.append({ role: "assistant", content: text("It is calm.") });
  page.tell("session-changed", { changed_paths: [stored.record.path], removed_paths: [] });
  await waitFor(() => expect(document.querySelector('[data-entry="e5"]')?.textContent).toContain("It is calm."));
  expect(all.getAllByText("It is calm.")).toHaveLength(1);
  expect(all.getAllByText("And now?")).toHaveLength(1);
});

it("what is never stored keeps its place between the entries", async () => {
  const { page, stored, say } = await open("Notices");
  say(said("user", "Go on", 4));
  say(record({ type: "extension_ui_request", id: "n", method: "notify", message: "Saved the tides" }));
  await screen.findByText("Saved the tides");
  stored.append({ role: "user", content: text("Go on") });
  stored.append({ role: "assistant", content: text("Gone on.") });
  page.tell("session-changed", { changed_paths: [stored.record.path], removed_paths: [] });
  await screen.findByText("Gone on.");
  const { textContent } = await transcript();
  const places = ["Go on", "Saved the tides", "Gone on."].map((words) => textContent?.indexOf(words) ?? -1);
  expect(places).toEqual(places.toSorted((a, b) => a - b));
});

it("a call is shown once while it runs, with what it has written", async () => {
  const { say } = await open("Runs");
  const event = { toolCallId: "call", toolName: "edit" };
  say(record({ type: "tool_execution_start", ...event, args: { path: "gauge.ts" } }));
  const running = await screen.findByRole("region", { name: "Running edit" });
  await waitFor(async () => expect(within(await transcript()).queryByRole("button", { name: /^edit/ })).toBeNull());
  say(record({ type: "tool_execution_end", ...event }));
  await within(await transcript()).findByRole("button", { name: /^edit/ });
  expect(running.isConnected).toBe(false);
});

it("text is found while the agent works, and Escape leads back to the prompt", async () => {
  const { page } = await open("Find", {
    answers: {
      find_in_session: {
        entries: [
          { entry_id: "e3", place: 3, count: 1 },
          { entry_id: "e0", place: 0, count: 1 },
        ],
        ...{ leaf_id: "e3", total: 4, scanned: 4, next_cursor: null },
      },
    },
  });
  const prompt = await screen.findByRole("textbox", { name: "Prompt" });
  await page.user.click(prompt);
  await page.user.keyboard("{Control>}f{/Control}");
  await screen.findByRole("textbox", { name: "Find in this session" });
  await page.user.paste("gauge");
  await screen.findByText("1 of 2");
  await page.user.keyboard("{Enter}");
  await screen.findByText("2 of 2");
  expect(page.asked("find_in_session").at(-1)).toMatchObject({ path: "/sessions/Find.jsonl", query: "gauge" });
  await page.user.keyboard("{Escape}");
  await waitFor(() => expect(document.activeElement).toBe(prompt));
  expect(page.asked("abort_coding_session")).toEqual([]);
});

it("the tree stands beside it while the agent works", async () => {
  const { page } = await open("In a tree");
  await page.user.click(await button("Tree"));
  const tree = await screen.findByRole("list", { name: "Tree" });
  await within(tree).findByRole("button", { name: /Change the gauge/ });
  expect(page.address()).toContain("panel=tree");
});

it("the contents stand beside it, and grow with the file", async () => {
  const { page, stored } = await open("With contents", { search: "&panel=prompts" });
  const list = await screen.findByRole("list", { name: "Prompts" });
  await within(list).findByRole("button", { name: /Change the gauge/ });
  stored.append({ role: "user", content: "And the clock" });
  page.tell("session-changed", { changed_paths: [stored.record.path], removed_paths: [] });
  await within(list).findByRole("button", { name: /And the clock/ });
});

it("the changes stand beside it while the agent works, and their sums in the header", async () => {
  const sums = { path: "/sessions/With changes.jsonl", files: 1, added: 2, removed: 1, complete: true };
  const changes = { files: [FILE], added: 2, removed: 1, leaf_id: "e3", complete: true };
  const { page } = await open("With changes", {
    search: "&panel=changes",
    answers: { read_session_changes: changes, list_change_sums: [sums] },
  });
  const list = await screen.findByRole("list", { name: "Changes" });
  await within(list).findByRole("button", { name: /gauge\.ts/ });
  expect(page.asked("read_session_changes")[0]).toMatchObject({ path: sums.path, leaf_id: "e3" });
  await waitFor(async () => expect((await header()).textContent).toContain("+2 −1 · 1 file"));
});

it.each([
  [
    "its menu",
    async ({ user }: TestPage) => {
      await user.click(await button("More actions for this session"));
      await user.click(await screen.findByRole("menuitem", { name: /^Export/ }));
    },
  ],
  ["keys", ({ user }: TestPage) => user.keyboard("{Control>}{Shift>}e{/Shift}{/Control}")],
])("it is exported while the agent works: %s", async (way, go) => {
  const { page } = await open(`Export by ${way}`);
  await go(page);
  await screen.findByRole("dialog", { name: /Export/ });
  await page.user.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
});

it("a gauge tells how much of its context is used", async () => {
  await open("Gauge");
  const gauge = await within(await header()).findByRole("meter", { name: "Context" });
  expect(gauge.textContent).toBe("25% of context");
  expect(gauge.getAttribute("aria-valuetext")).toBe("2K of 8.2K tokens of context (25%)");
});

it("before the first answer the panels say that nothing is stored, and have it once it is", async () => {
  const stored = new StoredSession("New", MESSAGES);
  const { path } = stored.record;
  const page = await openPage("/live?session=New&panel=tree", {
    answers: {
      ...stored.answers,
      get_coding_live_sessions: [liveSession("New")],
      get_coding_agent_entries: { entries: [], next_seq: seq, has_gap: false },
    },
  });
  await screen.findByText("Nothing is stored yet");
  page.tell("hello", {} as never);
  await screen.findByText("The agent is waiting for your first prompt.");
  expect(page.asked("read_session_tree")).toEqual([]);
  const prompt = await screen.findByRole<HTMLTextAreaElement>("textbox", { name: "Prompt" });
  await page.user.type(prompt, "Half a thought");
  page.answer({ get_coding_live_sessions: [liveSession("New", { session_path: path })] });
  page.tell("sessions-diff", { added: [stored.record], updated: [], removed: [] });
  page.tell("live-session", { session_id: "New", state: "idle" });
  await within(await screen.findByRole("list", { name: "Tree" })).findByRole("button", { name: /Change the gauge/ });
  // The field is the same, with what was being typed.
  expect(prompt.isConnected).toBe(true);
  expect(prompt.value).toBe("Half a thought");
  expect(document.activeElement).toBe(prompt);
});

it("an agent that is started on the session that is read comes into the same screen", async () => {
  const stored = new StoredSession("Resumed", MESSAGES);
  const { path } = stored.record;
  const session = liveSession("Resumed", { session_path: path });
  const idle = { ...stored.record, is_live: false };
  const page = await openPage(`/session?path=${encodeURIComponent(path)}`, {
    sessions: [idle],
    answers: {
      ...stored.answers,
      start_coding_session: session,
      get_coding_live_sessions: [session],
      get_coding_agent_entries: { entries: [], next_seq: seq, has_gap: false },
    },
  });
  await screen.findByText("The gauge is changed.");
  expect(screen.queryByRole("textbox", { name: "Prompt" })).toBeNull();
  expect(page.asked("get_coding_live_sessions")).toEqual([]);
  const entry = document.querySelector('[data-entry="e3"]');
  await page.user.keyboard("{Shift>}R{/Shift}");
  await waitFor(() => expect(page.asked("start_coding_session")).toEqual([{ session_path: path }]));
  page.tell("sessions-diff", { added: [], updated: [stored.record], removed: [] });
  const prompt = await screen.findByRole("textbox", { name: "Prompt" });
  await waitFor(() => expect(document.activeElement).toBe(prompt));
  expect(new URLSearchParams(location.search).get("path")).toBe(path);
  expect(entry?.isConnected).toBe(true);
});

it("Escape in the list beside it is not for the agent", async () => {
  const { page } = await open("Beside the list", { at: "/session" });
  (await screen.findByRole("grid")).focus();
  await page.user.keyboard("{Escape}");
  expect(page.asked("abort_coding_session")).toEqual([]);
  (await screen.findByRole("textbox", { name: "Prompt" })).focus();
  await page.user.keyboard("{Escape}");
  await waitFor(() => expect(page.asked("abort_coding_session")).toHaveLength(1));
});

it("the question whether an agent is to end goes with the agent", async () => {
  const { page, stored, session } = await open("Asked to end", { at: "/session" });
  await page.user.click(await button("More actions for this session"));
  await page.user.click(await screen.findByRole("menuitem", { name: "Stop" }));
  await screen.findByRole("dialog", { name: /Stop/ });
  page.answer({ get_coding_live_sessions: [] });
  page.tell("sessions-diff", { added: [], updated: [{ ...stored.record, is_live: false }], removed: [] });
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  page.answer({ get_coding_live_sessions: [session] });
  page.tell("sessions-diff", { added: [], updated: [stored.record], removed: [] });
  page.tell("live-session", { session_id: session.session_id, state: "idle" });
  await screen.findByRole("textbox", { name: "Prompt" });
  expect(screen.queryByRole("dialog")).toBeNull();
});

it("a session that is resumed from the list leaves the list as it is", async () => {
  const stored = new StoredSession("From the list", MESSAGES);
  const page = await openPage("/?sort=title&q=list", {
    sessions: [{ ...stored.record, is_live: false }],
    answers: { ...stored.answers, start_coding_session: liveSession("From the list") },
  });
  fireEvent.contextMenu(await screen.findByRole("link", { name: "From the list" }), { clientX: 10, clientY: 10 });
  await page.user.click(await screen.findByRole("menuitem", { name: /^Resume as a live session/ }));
  await waitFor(() => expect(page.address()).toContain("/session?"));
  const search = new URLSearchParams(location.search);
  expect([search.get("path"), search.get("sort"), search.get("q")]).toEqual([stored.record.path, "title", "list"]);
});

it("what was said stays in sight while the file is read that has come", async () => {
  const stored = new StoredSession("First words", MESSAGES);
  const { path } = stored.record;
  let read = () => {};
  const reading = new Promise<void>((resolve) => {
    read = resolve;
  });
  const page = await openPage("/live?session=First words", {
    answers: {
      ...stored.answers,
      read_transcript: async (payload) => {
        await reading;
        return (stored.answers.read_transcript as (payload: unknown) => never)(payload);
      },
      get_coding_live_sessions: [liveSession("First words")],
      get_coding_agent_entries: { entries: [said("user", "Are you there?", 9)], next_seq: seq, has_gap: false },
    },
  });
  await screen.findByRole("textbox", { name: "Prompt" });
  page.tell("hello", {} as never);
  await screen.findByText("Are you there?");
  page.answer({ get_coding_live_sessions: [liveSession("First words", { session_path: path })] });
  page.tell("sessions-diff", { added: [stored.record], updated: [], removed: [] });
  page.tell("live-session", { session_id: "First words", state: "idle" });
  await waitFor(() => expect(page.asked("read_transcript")).toHaveLength(1));
  screen.getByText("Are you there?");
  read();
  await screen.findByText("The gauge is changed.");
});
