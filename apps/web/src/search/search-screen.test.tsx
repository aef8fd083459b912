import { CommandError, type CommandOutput } from "@sm/router/client";
import { screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { sessionRecord } from "../list/record.fixture.ts";
import { openPage, type PageOptions } from "../page.fixture.tsx";
import { savedSearches } from "./saved-searches.ts";
import { searchHistory } from "./search-history.ts";

const field = () => screen.findByRole<HTMLInputElement>("searchbox", { name: "Search all sessions" });

const FOUND_NOTHING = {
  hits: [],
  next_cursor: null,
  total: 0,
  indexing: { pending: 0 },
} as unknown as CommandOutput<"search">;

function open(address: string, options: PageOptions = {}) {
  return openPage(address, {
    ...options,
    answers: {
      search: FOUND_NOTHING,
      ...options.answers,
    },
  });
}

it("what is searched for waits until the typing pauses, and is in the address", async () => {
  const page = await open("/search");
  await page.user.type(await field(), "tide clock");
  await waitFor(() => expect(page.address()).toBe("/search?q=tide+clock"));
  await screen.findByText("No results");
  expect(page.asked("search").map(({ query }) => query)).toEqual(["tide clock"]);
});

it("a problem of the query is shown at the field, and goes with it", async () => {
  const page = await open("/search");
  await page.user.type(await field(), "tide OR (clock");
  await screen.findByText("The parenthesis at column 9 is not closed.");
  expect((await field()).getAttribute("aria-invalid")).toBe("true");
  expect(document.querySelector("#search-problem code span")?.textContent).toBe("(");
  await page.user.type(await field(), ")");
  await waitFor(async () => expect((await field()).getAttribute("aria-invalid")).toBeNull());
});

it("examples are searched for, and searches are remembered, kept and forgotten", async () => {
  const page = await open("/search");
  await page.user.click(await screen.findByRole("button", { name: "Search syntax" }));
  await page.user.click(within(await screen.findByRole("dialog")).getByRole("button", { name: /^"tide clock"/ }));
  await waitFor(() => expect(new URLSearchParams(location.search).get("q")).toBe('"tide clock"'));
  await page.user.type(await field(), "{Enter}");
  await page.user.click(await screen.findByRole("button", { name: "Save this search" }));
  const name = await screen.findByRole<HTMLInputElement>("textbox", { name: "Name" });
  expect(name.value).toBe('"tide clock"');
  await page.user.clear(name);
  await page.user.type(name, "Tide clocks{Enter}");
  const navigation = screen.getByRole("navigation", { name: "Navigation" });
  await within(navigation).findByRole("link", { name: "Tide clocks" });
  await page.user.clear(await field());
  await screen.findByRole("button", { name: '"tide clock"' });
  await screen.findByRole("heading", { name: "Recent searches" });
  await page.user.click(within(navigation).getByRole("link", { name: "Tide clocks" }));
  await waitFor(() => expect(new URLSearchParams(location.search).get("q")).toBe('"tide clock"'));
  await page.user.click(await screen.findByRole("button", { name: "Delete saved search" }));
  await waitFor(() => expect(within(navigation).queryByRole("link", { name: "Tide clocks" })).toBeNull());
});

it("the name of a saved search is there to be typed over, and only its own query marks it in the navigation", async () => {
  savedSearches.set([]);
  const page = await open("/search?q=theme");
  await page.user.click(await screen.findByRole("button", { name: "Save this search" }));
  await waitFor(async () => expect(document.activeElement).toBe(await screen.findByRole("textbox", { name: "Name" })));
  await page.user.keyboard("Theme work{Enter}");
  const link = await screen.findByRole("link", { name: "Theme work" });
  expect(savedSearches.get()).toEqual([{ name: "Theme work", search: "?q=theme" }]);
  await waitFor(() => expect(link.getAttribute("aria-current")).toBe("page"));
  await page.user.clear(await field());
  await waitFor(() => expect(page.address()).toBe("/search"));
  await waitFor(() => expect(link.getAttribute("aria-current")).toBeNull());
});

it("a field with a value that nothing has is said, and values that exist are offered", async () => {
  const by_tool = ["read", "bash", "edit"].map((tool) => ({ tool, calls: 3, errors: 0 }));
  const page = await open("/search?q=tool%3Abas+tide", {
    answers: { get_session_stats: { by_tool, by_project: [] } as unknown as CommandOutput<"get_session_stats"> },
  });
  await screen.findByText("No tool is called “bas”. Available:");
  const main = within(screen.getByRole("main"));
  const offered = main.getAllByRole("button", { name: /^tool:/ }).map(({ textContent }) => textContent);
  expect(offered).toEqual(["tool:bash", "tool:read", "tool:edit"]);
  await page.user.click(main.getByRole("button", { name: "tool:bash" }));
  await waitFor(() => expect(page.address()).toBe("/search?q=tool%3Abash+tide"));
  await screen.findByText("All words must occur in the same part of a session. Try fewer words.");
});

it("values of a field are offered while it is typed, with how many there are, and taken with Tab or Enter", async () => {
  const sessions = ["opus-4", "opus-4", "sonnet-5"].map((model, at) => sessionRecord(`S${at}`, { models: [model] }));
  const page = await open("/search", { sessions });
  const options = () => screen.queryAllByRole("option").map(({ textContent }) => textContent);
  await page.user.type(await field(), "tide model:");
  await waitFor(() => expect(options()).toEqual(["opus-42", "sonnet-51"]));
  await page.user.type(await field(), "net{Tab}");
  expect((await field()).value).toBe("tide model:sonnet-5");
  expect(document.activeElement).toBe(await field());
  await waitFor(() => expect(page.address()).toBe("/search?q=tide+model%3Asonnet-5"));
  expect(options()).toEqual([]);
  await page.user.type(await field(), " is:{ArrowDown}{ArrowDown}");
  const chosen = screen.getAllByRole("option").find((option) => option.getAttribute("aria-selected") === "true");
  expect(chosen?.textContent).toBe("bookmarked");
  expect((await field()).getAttribute("aria-activedescendant")).toBe(chosen?.id);
  await page.user.keyboard("{Enter}");
  expect((await field()).value).toBe("tide model:sonnet-5 is:bookmarked");
  await page.user.type(await field(), " role:{Escape}");
  expect(options()).toEqual([]);
  expect((await field()).value).toContain("role:");
});

it("names of files are offered from two characters on, as the service knows them", async () => {
  const page = await open("/search", {
    answers: {
      list_file_names: ({ prefix }) =>
        ["src/app.ts", "src/apply.ts"]
          .filter((name) => name.startsWith(prefix))
          .map((name, at) => ({ name, session_count: 3 - at })),
    },
  });
  const options = () => screen.queryAllByRole("option").map(({ textContent }) => textContent);
  await page.user.type(await field(), "file:s");
  expect(options()).toEqual([]);
  await page.user.type(await field(), "rc/app");
  await waitFor(() => expect(options()).toEqual(["src/app.ts3", "src/apply.ts2"]));
  expect(page.asked("list_file_names").map(({ prefix }) => prefix)).toEqual([
    "sr",
    "src",
    "src/",
    "src/a",
    "src/ap",
    "src/app",
  ]);
  await page.user.type(await field(), "l{Tab}");
  expect((await field()).value).toBe("file:src/apply.ts");
});

it("a search that fails says why, and is made again", async () => {
  const page = await open("/search?q=tide", {
    answers: { search: new CommandError("INTERNAL", "The index cannot be read.") },
  });
  await screen.findByText("The index cannot be read.");
  page.answer({ search: FOUND_NOTHING });
  await page.user.click(screen.getByRole("button", { name: "Try again" }));
  await screen.findByText("No results");
});

it("before a search, the sessions with bookmarks are listed, each leading to its newest", async () => {
  const at = (entry_id: string, name: string, day: number) => ({
    path: `/sessions/${name}.jsonl`,
    entry_id,
    label: null,
    created_at: `2026-03-0${day}T10:00:00.000Z`,
  });
  await open("/search", {
    sessions: [sessionRecord("Tides"), sessionRecord("Clocks")],
    answers: { list_bookmarks: [at("c", "Clocks", 3), at("b", "Tides", 2), at("a", "Clocks", 1)] },
  });
  await screen.findByRole("heading", { name: "Bookmarks" });
  const main = within(screen.getByRole("main"));
  const clocks = await main.findByRole("link", { name: /Clocks.*2 bookmarks/ });
  const address = new URL((clocks as HTMLAnchorElement).href);
  expect([...address.searchParams]).toEqual([
    ["path", "/sessions/Clocks.jsonl"],
    ["entry", "c"],
    ["panel", "prompts"],
  ]);
  await main.findByRole("link", { name: /Tides.*1 bookmark/ });
});

it("the focus goes to the row beside one that is deleted, in the history and in the navigation", async () => {
  searchHistory.set(["one", "two", "three"]);
  savedSearches.set(["Tides", "Clocks"].map((name) => ({ name, search: `?q=${name}` })));
  const page = await open("/search");
  const press = async (name: string) => {
    screen.getByRole("button", { name }).focus();
    await page.user.keyboard("{Enter}");
  };
  const focused = () => document.activeElement?.getAttribute("aria-label");
  await screen.findByRole("button", { name: "Delete two" });
  await press("Delete two");
  await waitFor(() => expect(focused()).toBe("Delete three"));
  await page.user.keyboard("{Enter}");
  await waitFor(() => expect(focused()).toBe("Delete one"));
  expect(searchHistory.get()).toEqual(["one"]);
  await press("Delete Clocks");
  await waitFor(() => expect(focused()).toBe("Delete Tides"));
  expect(savedSearches.get().map(({ name }) => name)).toEqual(["Tides"]);
});

it("a session is called the same in the filters, among the bookmarks and in the list", async () => {
  const written = sessionRecord("a", { title: "Please **fix** the `tide` clock" });
  const page = await open(`/search?session=${encodeURIComponent(written.path)}`, {
    sessions: [written],
    answers: { list_bookmarks: [{ path: written.path, entry_id: "e", label: null, created_at: null }] },
  });
  await screen.findByRole("link", { name: /^Please fix the tide clock.*1 bookmark/ });
  await page.user.click(screen.getByRole("button", { name: "Remove filter Please fix the tide clock" }));
  await waitFor(() => expect(page.address()).toBe("/search"));
});
