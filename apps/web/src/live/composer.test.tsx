import { CommandError, type CommandInput } from "@sm/router/client";
import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { sessionRecord } from "../list/record.fixture.ts";
import { type Answers, openPage, type TestPage } from "../page.fixture.tsx";
import { liveSession } from "./live.fixture.ts";

const NOW = new Date().toISOString();

const said = (text: string, seq: number) => ({
  seq,
  timestamp: NOW,
  event: { type: "message_end", message: { role: "user", content: text } },
});

const FILES = ["src/tides.ts", "src/a clock.ts"];

const NEW = "New session in tides";

/** The field, once the session that is open is connected. */
async function connected(page: TestPage): Promise<HTMLTextAreaElement> {
  await screen.findByRole("heading", { level: 1, name: NEW });
  page.tell("hello", {} as never);
  return screen.findByRole("textbox", { name: "Prompt" });
}

/** Opens a session of its own for each test: drafts are kept. */
async function open(id: string, answers: Answers = {}) {
  const page = await openPage(`/live?session=${id}`, {
    answers: {
      get_coding_live_sessions: [liveSession(id)],
      get_coding_agent_entries: { entries: [said("first", 1), said("second\nline", 2)], next_seq: 3, has_gap: false },
      get_coding_session_commands: [
        { name: "quiet", description: "Does nothing", source: "extension" },
        { name: "review", description: null, source: "prompt" },
        { name: "unreview", description: null, source: "prompt" },
      ],
      find_coding_session_files: ({ text }: CommandInput<"find_coding_session_files">) => ({
        files: FILES.filter((path) => path.includes(text)),
        is_complete: true,
      }),
      send_coding_agent_rpc: { accepted: true, disposition: "started" },
      ...answers,
    },
  });
  const field = await connected(page);
  await page.user.click(field);
  return { page, field };
}

const options = (list: HTMLElement) => within(list).getAllByRole("option");
const isClosed = () => waitFor(() => expect(screen.queryByRole("listbox")).toBeNull());

describe("the commands of the agent", () => {
  it("are offered after a slash, those first that begin so, and are chosen with keys", async () => {
    const { page, field } = await open("commands");
    await page.user.keyboard("/");
    const list = await screen.findByRole("listbox", { name: "Agent commands" });
    expect(options(list).map(({ textContent }) => textContent)).toEqual([
      "/quietDoes nothing",
      "/reviewprompt",
      "/unreviewprompt",
    ]);
    await page.user.keyboard("review");
    await waitFor(() => expect(options(list)).toHaveLength(2));
    await page.user.keyboard("{ArrowDown}");
    const current = options(list)[1];
    expect(current?.getAttribute("aria-selected")).toBe("true");
    expect(field.getAttribute("aria-activedescendant")).toBe(current?.id);
    await page.user.keyboard("{Tab}");
    expect(field.value).toBe("/unreview ");
    await isClosed();
    await page.user.keyboard("it{Enter}");
    expect(page.asked("send_coding_agent_rpc")).toMatchObject([{ prompt: "/unreview it", mode: "prompt" }]);
  });

  it("are sent when they are complete, and the list stays closed after Escape", async () => {
    const { page, field } = await open("complete");
    await page.user.keyboard("/qui");
    await screen.findByRole("listbox");
    await page.user.keyboard("{Escape}");
    await isClosed();
    await page.user.keyboard("e");
    await isClosed();
    await page.user.keyboard("t{Enter}");
    await waitFor(() => expect(page.asked("send_coding_agent_rpc")).toMatchObject([{ prompt: "/quiet" }]));
    await page.user.keyboard("/quiet");
    await screen.findByRole("listbox");
    await page.user.keyboard("{Enter}");
    await waitFor(() => expect(page.asked("send_coding_agent_rpc")).toHaveLength(2));
    expect(field.value).toBe("");
  });

  it("are none in the middle of a prompt, nor where the agent has none", async () => {
    const { page, field } = await open("none", { get_coding_session_commands: [] });
    await page.user.keyboard("see /");
    await page.user.clear(field);
    await page.user.keyboard("/");
    await waitFor(() => expect(page.asked("get_coding_session_commands")).toHaveLength(1));
    expect(screen.queryByRole("listbox")).toBeNull();
  });
});

it("files of the project are offered after an at sign, and one with a space is quoted", async () => {
  const { page, field } = await open("files");
  await page.user.keyboard("look at @clock");
  const list = await screen.findByRole("listbox", { name: "Project files" });
  await waitFor(() => expect(options(list).map(({ textContent }) => textContent)).toEqual(["src/a clock.ts"]));
  await page.user.click(options(list)[0] as HTMLElement);
  expect(field.value).toBe('look at @"src/a clock.ts" ');
  await page.user.keyboard("and");
  expect(field.value).toBe('look at @"src/a clock.ts" and');
  expect(page.asked("find_coding_session_files").every(({ session_id }) => session_id === "files")).toBe(true);
});

it("an arrow up in an empty field gives what was said before, and none takes what is being typed", async () => {
  const { page, field } = await open("history");
  await page.user.keyboard("{ArrowUp}");
  expect(field.value).toBe("second\nline");
  await page.user.keyboard("{ArrowUp}{ArrowUp}");
  expect(field.value).toBe("first");
  await page.user.keyboard("{ArrowDown}{ArrowDown}");
  expect(field.value).toBe("");
  await page.user.keyboard("mine{ArrowUp}");
  expect(field.value).toBe("mine");
});

it("a prompt that cannot be sent comes back before what was typed meanwhile", async () => {
  let fail = (_error: Error): void => undefined;
  const { page, field } = await open("failing", {
    send_coding_agent_rpc: () =>
      new Promise((_, reject) => {
        fail = reject;
      }),
  });
  await page.user.keyboard("Fix it{Enter}and then");
  expect(field.value).toBe("and then");
  fail(new CommandError("CONFLICT", "No API key."));
  await waitFor(() => expect(field.value).toBe("Fix it\n\nand then"));
});

describe("a session that is started with its first prompt", () => {
  const start = async (answers: Answers) => {
    const page = await openPage("/live?new=1", {
      sessions: [sessionRecord("Tides", { models: ["old", "fake-1"] })],
      answers: {
        get_coding_agent_entries: { entries: [], next_seq: 0, has_gap: false },
        send_coding_agent_rpc: { accepted: true, disposition: "started" },
        ...answers,
      },
    });
    await page.user.click(await screen.findByRole("textbox", { name: "First prompt (optional)" }));
    // The second time it is being started already.
    await page.user.keyboard("Fix{Shift>}{Enter}{/Shift}it{Enter}{Enter}");
    await waitFor(() => expect(page.asked("start_coding_session")).toEqual([{ cwd: "/home/me/project" }]));
    return page;
  };

  it("gets it at once", async () => {
    const started = liveSession("begun");
    const page = await start({ start_coding_session: started, get_coding_live_sessions: [started] });
    await waitFor(() => expect(page.address()).toBe("/live?session=begun"));
    expect(page.asked("send_coding_agent_rpc")).toEqual([{ session_id: "begun", prompt: "Fix\nit", mode: "prompt" }]);
    // Until then it is called by its project.
    await screen.findByRole("heading", { level: 1, name: NEW });
  });

  it("has it in its field where it cannot be sent", async () => {
    const started = liveSession("refused");
    const page = await start({
      start_coding_session: started,
      get_coding_live_sessions: [started],
      send_coding_agent_rpc: new CommandError("CONFLICT", "No API key."),
    });
    expect((await connected(page)).value).toBe("Fix\nit");
    await screen.findByText(/No API key/);
  });
});
