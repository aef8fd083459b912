import { CommandError } from "@sm/router/client";
import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { MOST_LOADED } from "../client/sessions.ts";
import { openPage, type PageOptions } from "../page.fixture.tsx";
import { sessionRecord } from "./record.fixture.ts";

const SESSIONS = ["One conversation", "Two conversation", "X conversation"].map((name) => sessionRecord(name));

const grid = () => screen.findByRole("grid");
const rows = () => screen.queryAllByRole("row").filter((row) => row.hasAttribute("aria-selected"));
const titles = () => rows().map((row) => within(row).getByRole("link").textContent);
const row = async (title: string) => {
  const link = await screen.findByRole("link", { name: title });
  return link.closest<HTMLElement>("[role=row]") ?? link;
};
const selected = () => rows().flatMap((one, at) => (one.getAttribute("aria-selected") === "true" ? [at] : []));
const notifications = () => screen.findByRole("region", { name: "Notifications" });
const hasFocus = (element: HTMLElement) => waitFor(() => expect(document.activeElement).toBe(element));

async function open(options: PageOptions & { address?: string } = {}) {
  const { address = "/?group=none&sort=title", sessions = SESSIONS, ...others } = options;
  const page = await openPage(address, { sessions, ...others });
  await screen.findAllByRole("row");
  return page;
}

/** Opens the menu of a row, as a right click does. */
async function openMenu(title: string): Promise<HTMLElement> {
  fireEvent.contextMenu(await row(title), { clientX: 10, clientY: 10 });
  return screen.findByRole("menu");
}

const menuIsClosed = () => waitFor(() => expect(screen.queryByRole("menu")).toBeNull());

it("the filters and the order of the list are in the address", async () => {
  const page = await open({
    sessions: [...SESSIONS, sessionRecord("Filter me by words")],
    address: "/?sort=title&group=none",
  });
  const all = titles();
  expect(all).toEqual(["Filter me by words", ...SESSIONS.map(({ title }) => title)]);
  await page.user.keyboard("f");
  await hasFocus(screen.getByRole("searchbox"));
  await page.user.keyboard("WORDS filter");
  await waitFor(() => expect(titles()).toEqual(["Filter me by words"]));
  await waitFor(() => expect(new URLSearchParams(location.search).get("q")).toBe("WORDS filter"));
  await page.user.clear(screen.getByRole("searchbox"));
  await page.user.type(screen.getByRole("searchbox"), "no such thing");
  await screen.findByText("No matching sessions");
  await page.user.click(screen.getByRole("button", { name: "Clear filters" }));
  await waitFor(() => expect(titles()).toEqual(all));
  expect(page.address()).toBe("/?sort=title&group=none");
});

it("the list is moved in, chosen from and opened with the keyboard", async () => {
  const page = await open();
  (await grid()).focus();
  await page.user.keyboard("{ArrowDown}{Shift>}{ArrowDown}{/Shift}");
  await screen.findByText("2 selected");
  await page.user.keyboard("{Control>}a{/Control}");
  await screen.findByText("3 selected");
  expect(selected()).toEqual([0, 1, 2]);
  await page.user.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByRole("toolbar")).toBeNull());
  await page.user.keyboard("{End}{ArrowUp}{Enter}");
  await waitFor(() => expect(page.address()).toMatch(/^\/session\?.*path=.*Two/));
  const current = () =>
    rows().findIndex((one) => within(one).getByRole("link").getAttribute("aria-current") === "page");
  await waitFor(() => expect(current()).toBe(1));
  await page.user.keyboard("{Shift>}J{/Shift}");
  await waitFor(() => expect(current()).toBe(2));
});

it("a session is renamed in place, and Escape leaves its name", async () => {
  const page = await open({ answers: { rename_session: null as never } });
  (await grid()).focus();
  await page.user.keyboard("{ArrowDown}{F2}");
  const field = await screen.findByRole<HTMLInputElement>("textbox", { name: "Session name" });
  await hasFocus(field);
  await page.user.clear(field);
  await page.user.keyboard("A better name{Enter}");
  await row("A better name");
  expect(page.asked("rename_session")).toEqual([{ path: SESSIONS[0]?.path, name: "A better name" }]);
  await hasFocus(await grid());
  await page.user.keyboard("{F2}");
  await page.user.keyboard("Never mind{Escape}");
  await row("A better name");
  expect(page.asked("rename_session")).toHaveLength(1);
});

it("a name that the service refuses is taken back, with the reason", async () => {
  const page = await open({ answers: { rename_session: new CommandError("READ_ONLY", "The folder is read-only.") } });
  (await grid()).focus();
  await page.user.keyboard("{ArrowDown}{F2}");
  const field = await screen.findByRole("textbox", { name: "Session name" });
  await page.user.clear(field);
  await page.user.keyboard("Another{Enter}");
  await within(await notifications()).findByText(/The folder is read-only\./);
  await row("One conversation");
});

it("a menu is walked through with the arrows, Home, End and first letters, and Escape gives the focus back", async () => {
  const page = await open();
  const menu = await openMenu("One conversation");
  const items = within(menu).getAllByRole("menuitem");
  await page.user.keyboard("{ArrowDown}");
  await hasFocus(items[0] as HTMLElement);
  await page.user.keyboard("{ArrowDown}");
  await hasFocus(items[1] as HTMLElement);
  await page.user.keyboard("{ArrowUp}");
  await hasFocus(items[0] as HTMLElement);
  await page.user.keyboard("{End}");
  await hasFocus(items.at(-1) as HTMLElement);
  await page.user.keyboard("{Home}");
  await hasFocus(items[0] as HTMLElement);
  await page.user.keyboard("ren");
  await hasFocus(within(menu).getByRole("menuitem", { name: /^Rename/ }));
  // Keys of the page are the menu's while it is open.
  await page.user.keyboard("#{Escape}");
  await menuIsClosed();
  expect(titles()).toHaveLength(3);
  await hasFocus(await grid());
});

it("a menu below another opens and closes with the arrows", async () => {
  const page = await open();
  await openMenu("One conversation");
  await page.user.keyboard("tags");
  await hasFocus(screen.getByRole("menuitem", { name: "Tags" }));
  await page.user.keyboard("{ArrowRight}");
  await screen.findByText("No tags yet");
  expect(screen.getAllByRole("menu")).toHaveLength(2);
  await page.user.keyboard("{ArrowLeft}");
  await waitFor(() => expect(screen.getAllByRole("menu")).toHaveLength(1));
});

it("what is chosen becomes a favorite and gets a new tag", async () => {
  const tag = { id: "tag-1", name: "Important", color: "#3a7fd5", parent_id: null, position: 0, session_count: 0 };
  const page = await open({
    answers: {
      toggle_favorite: { is_favorite: true } as never,
      create_tag: new CommandError("CONFLICT", "There is a tag of this name."),
      assign_tag: null as never,
    },
  });
  await page.user.keyboard("{Control>}");
  await page.user.click(await screen.findByRole("link", { name: "One conversation" }));
  await page.user.keyboard("{/Control}{Shift>}");
  await page.user.click(await screen.findByRole("link", { name: "Two conversation" }));
  await page.user.keyboard("{/Shift}");
  await screen.findByText("2 selected");
  const toolbar = screen.getByRole("toolbar");
  await page.user.click(within(toolbar).getByRole("button", { name: "Tags" }));
  await page.user.click(await screen.findByRole("menuitem", { name: /^New tag/ }));
  const dialog = await screen.findByRole("dialog");
  const field = within(dialog).getByRole("textbox", { name: "Tag name" });
  await page.user.type(field, "Important{Enter}");
  await within(dialog).findByText("There is a tag of this name.");
  page.answer({ create_tag: tag, list_tags: [tag] });
  await page.user.type(field, "{Enter}");
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(page.asked("create_tag").at(-1)).toMatchObject({ name: "Important" });
});

it("a deletion can be undone, and until then nothing is deleted", async () => {
  const page = await open();
  const menu = await openMenu("One conversation");
  await page.user.click(within(menu).getByRole("menuitem", { name: /^Delete/ }));
  await waitFor(() => expect(titles()).toEqual(["Two conversation", "X conversation"]));
  // Below the pointer the list would not move.
  await page.user.hover(await grid());
  await page.user.keyboard("z");
  await waitFor(() => expect(titles()).toHaveLength(3));
  expect(page.asked("delete_sessions")).toEqual([]);
});

it("a deletion that takes other files along asks first, and tells what was left", async () => {
  const along = { companions: 3, subagents: 2, companion_bytes: 2_000_000 };
  const page = await open({
    answers: {
      preview_deletion: ({ path }) => ({ path, ...along }),
      undelete_session: null as never,
      delete_sessions: ({ paths }) => ({
        deleted: paths.map((path) => ({
          path,
          method: "trash" as const,
          companions: 2,
          left_behind: [`${path}/kept`],
        })),
        failed: [],
      }),
    },
  });
  await openMenu("One conversation");
  await page.user.click(screen.getByRole("menuitem", { name: /^Delete/ }));
  const question = await screen.findByRole("dialog", { name: "Delete this session?" });
  within(question).getByText("the sessions of 2 subagents");
  within(question).getByText("1 other file, such as a tool result or an image");
  within(question).getByText("1.9 MB besides the session itself.");
  // It is there a moment before it may be pressed: the menu that asked had kept the pointer from everything else.
  await waitFor(() => expect(question.style.pointerEvents).toBe("auto"));
  await page.user.click(within(question).getByRole("button", { name: "Cancel" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(titles()).toHaveLength(3);
  (await grid()).focus();
  await page.user.keyboard("{Control>}a{/Control}#");
  const all = await screen.findByRole("dialog", { name: "Delete 3 sessions?" });
  within(all).getByText("the sessions of 6 subagents");
  await page.user.click(within(all).getByRole("button", { name: "Delete" }));
  await waitFor(() => expect(titles()).toHaveLength(0));
  // Those of other tests may still be there.
  for (const close of within(await notifications()).getAllByRole("button", { name: "Close" })) {
    await page.user.click(close);
  }
  await within(await notifications()).findByText(/except for 3 files or folders .*\. The first is .*\/kept$/);
  await page.user.keyboard("z");
  await waitFor(() => expect(page.asked("undelete_session")).toEqual(SESSIONS.map(({ path }) => ({ path }))));
});

it("a session goes that is deleted elsewhere, and one that is new comes", async () => {
  const page = await open({ sessions: [...SESSIONS, sessionRecord("Gone under our feet")], address: "/?q=feet" });
  const path = sessionRecord("Gone under our feet").path;
  page.tell("sessions-diff", { added: [], updated: [], removed: [path] });
  await screen.findByText("No matching sessions");
  page.tell("sessions-diff", { added: [sessionRecord("On its feet")], updated: [], removed: [] });
  await row("On its feet");
});

it("the command to resume and the path are copied", async () => {
  const page = await open();
  const copied = () => navigator.clipboard.readText();
  const [session] = SESSIONS;
  await page.user.click(
    within(await openMenu("One conversation")).getByRole("menuitem", { name: "Copy resume command" }),
  );
  await waitFor(async () => expect(await copied()).toBe(`cd /home/me/project && pi --session '${session?.path}'`));
  await menuIsClosed();
  await page.user.click(within(await openMenu("One conversation")).getByRole("menuitem", { name: "Copy path" }));
  await waitFor(async () => expect(await copied()).toBe(session?.path));
});

it("where there are no sessions the list says for which agents it has looked where, and shows the first one", async () => {
  const places = (...paths: string[]) =>
    paths.map((path) => ({ path, exists: path.startsWith("/agent"), skipped_files: 0 }));
  const home = { homes: [], read_only: false, sessions: 0 };
  const page = await openPage("/", {
    answers: {
      get_agent_homes: [
        { ...home, agent: "pi", name: "pi", enabled: true, directories: places("/agent/sessions") },
        { ...home, agent: "codex", name: "Codex", enabled: true, directories: places("/codex/sessions") },
        { ...home, agent: "omp", name: "Oh My Pi", enabled: false, directories: places("/omp") },
      ],
    },
  });
  await screen.findByText("No sessions yet");
  const of = async (name: string) => (await screen.findByRole("region", { name })).textContent;
  expect(await of("pi")).toBe("pi/agent/sessionsno sessions yet");
  expect(await of("Codex")).toBe("Codex/codex/sessionsdoes not exist yet");
  expect(await of("Oh My Pi")).toBe("Oh My PiTurned off in the settings");
  expect(screen.getByText(/sample sessions, run/).textContent).toContain("session-cli --demo");
  page.tell("sessions-diff", { added: [sessionRecord("The first")], updated: [], removed: [] });
  await row("The first");
});

it("a list that cannot be loaded says why, and is asked for again", async () => {
  const page = await openPage("/", {
    answers: { list_sessions: new CommandError("INTERNAL", "The index cannot be read.") },
  });
  await screen.findByText("The index cannot be read.");
  page.answer({
    list_sessions: { sessions: SESSIONS, total: 3, next_cursor: null, pending: 0, total_size_bytes: null },
  });
  await page.user.click(screen.getByRole("button", { name: "Try again" }));
  await row("One conversation");
});

it("of many sessions, the list asks the service for those that are not here, and never for all", async () => {
  const many = Array.from({ length: MOST_LOADED + 1_000 }, (_, index) =>
    sessionRecord(`s${index}`, {
      title: index === MOST_LOADED + 900 ? "The hidden one" : `Session ${index}`,
      modified_at: new Date(Date.UTC(2026, 0, 1) - index * 60_000).toISOString(),
    }),
  );
  const page = await openPage("/", {
    answers: {
      list_favorites: [],
      list_sessions: ({ query, cursor, limit }) => {
        const found = many.filter(({ title }) => title.toLowerCase().includes(query ?? ""));
        const start = Number(cursor ?? 0);
        const end = start + (limit ?? 50);
        const next_cursor = end < found.length ? String(end) : null;
        return {
          sessions: found.slice(start, end),
          next_cursor,
          total: found.length,
          pending: 0,
          total_size_bytes: null,
        };
      },
    },
  });
  await screen.findByText("6,000 sessions");
  const asked = () => page.asked("list_sessions").filter(({ archived }) => archived !== "only");
  const loaded = asked().length;
  expect(loaded).toBeLessThanOrEqual(MOST_LOADED / 500 + 1);
  await page.user.type(screen.getByRole("searchbox", { name: /Filter/ }), "hidden");
  await screen.findByText("1 of 6,000");
  expect(await screen.findByText("The hidden one")).toBeTruthy();
  expect(asked().slice(loaded)).toEqual([expect.objectContaining({ query: "hidden", limit: 500 })]);
  expect(page.asked("scan_sessions")).toEqual([]);
});
