import { screen, waitFor } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { openPage, type PageOptions } from "../page.fixture.tsx";
import { sessionRecord } from "./record.fixture.ts";

const SESSIONS = ["One", "Two", "Three"].map((name, index) =>
  sessionRecord(name, { modified_at: `2026-03-0${9 - index}T12:00:00.000Z` }),
);
const pathOf = (title: string) => SESSIONS.find((record) => record.title === title)?.path ?? "";
const at = (title: string, more = "") => `/session?path=${encodeURIComponent(pathOf(title))}${more}`;
const isOpen = (title: string) =>
  waitFor(() => expect(new URLSearchParams(location.search).get("path")).toBe(pathOf(title)));

async function open(address = "/?group=none", options: PageOptions = {}) {
  const page = await openPage(address, {
    sessions: SESSIONS,
    ...options,
    answers: {
      preview_deletion: ({ path }) => ({ path, companions: 0, subagents: 0, companion_bytes: 0 }),
      ...options.answers,
    },
  });
  await screen.findAllByRole("row");
  return page;
}

describe("keys where nothing has the focus", () => {
  it.each([
    ["down and Enter", "{ArrowDown}{Enter}", "One"],
    ["down twice and Enter", "{ArrowDown}{ArrowDown}{Enter}", "Two"],
    ["j and Enter", "j{Enter}", "One"],
    ["up and Enter, from the end", "{ArrowUp}{Enter}", "Three"],
    ["End and Enter", "{End}{Enter}", "Three"],
  ])("%s open a session of the list", async (_, keys, title) => {
    const page = await open();
    expect(document.activeElement).toBe(document.body);
    await page.user.keyboard(keys);
    await isOpen(title);
  });
});

describe("in the filter of the list", () => {
  it.each([
    ["Enter opens the first session that is left", "tw{Enter}", "Two"],
    ["Enter opens the first session of all", "{Enter}", "One"],
    ["down and Enter open the first that is left", "thr{ArrowDown}{Enter}", "Three"],
  ])("%s", async (_, keys, title) => {
    const page = await open("/?group=none", { keyDelay: keys.includes("Arrow") ? 200 : null });
    await page.user.click(screen.getByRole("searchbox", { name: "Filter by title, project or model" }));
    await page.user.keyboard(keys);
    await isOpen(title);
  });

  it("Enter opens nothing where nothing is left", async () => {
    const page = await open();
    await page.user.click(screen.getByRole("searchbox", { name: "Filter by title, project or model" }));
    await page.user.keyboard("nothing{Enter}");
    await screen.findByText("No matching sessions");
    expect(location.pathname).toBe("/");
  });
});

describe("another order of the list", () => {
  it.each([
    ["groups nothing by days of another order", "/", "Cost", "?sort=cost&group=none"],
    ["groups by days where it is one of times", "/?sort=cost&group=none", "Last message", ""],
    ["keeps the groups that were chosen", "/?group=project", "Size", "?group=project&sort=size"],
  ])("%s", async (_, address, order, search) => {
    const page = await open(address);
    await page.user.click(screen.getByRole("button", { name: "Sort and group" }));
    await page.user.click(await screen.findByRole("menuitemradio", { name: order }));
    const parts = (text: string) => [...new URLSearchParams(text)].sort();
    await waitFor(() => expect(parts(location.search)).toEqual(parts(search)));
  });
});

describe("an open session that is deleted", () => {
  it.each([
    ["the one below", "Two", "Three"],
    ["the one above, where it is the last", "Three", "Two"],
  ])("leaves its place to %s", async (_, title, next) => {
    const page = await open(at(title, "&group=none"));
    await page.user.keyboard("#");
    await isOpen(next);
    expect(location.search).toContain("group=none");
    await page.user.keyboard("z");
  });

  it("leaves an empty place where it is the only one", async () => {
    const page = await open(at("Two", "&q=two"));
    await page.user.keyboard("#");
    await waitFor(() => expect(page.address()).toBe("/?q=two"));
    await page.user.keyboard("z");
  });
});

describe("a deletion that can still be taken back", () => {
  it("is made when the page goes", async () => {
    const page = await open();
    await page.user.keyboard("{ArrowDown}#");
    await waitFor(() => expect(screen.queryByRole("link", { name: "One" })).toBeNull());
    expect(page.asked("delete_sessions")).toEqual([]);
    window.dispatchEvent(new Event("pagehide"));
    expect(page.asked("delete_sessions")).toEqual([{ paths: [pathOf("One")] }]);
    window.dispatchEvent(new Event("pagehide"));
    expect(page.asked("delete_sessions")).toHaveLength(1);
    await page.user.keyboard("z");
  });

  it("is no more made by a page that goes after it was taken back", async () => {
    const page = await open();
    await page.user.keyboard("{ArrowDown}#");
    await waitFor(() => expect(screen.queryByRole("link", { name: "One" })).toBeNull());
    await page.user.keyboard("z");
    await screen.findByRole("link", { name: "One" });
    window.dispatchEvent(new Event("pagehide"));
    expect(page.asked("delete_sessions")).toEqual([]);
  });

  it("is taken back from the trash where the browser brings back the page that has made it", async () => {
    const page = await open("/?group=none", { answers: { undelete_session: null as never } });
    await page.user.keyboard("{ArrowDown}#");
    await waitFor(() => expect(screen.queryByRole("link", { name: "One" })).toBeNull());
    window.dispatchEvent(new Event("pagehide"));
    await page.user.keyboard("z");
    await waitFor(() => expect(page.asked("undelete_session")).toEqual([{ path: pathOf("One") }]));
    expect(page.asked("delete_sessions")).toHaveLength(1);
  });

  it("is made at once where the page could not tell so many when it goes, and taken back afterwards", async () => {
    const many = Array.from({ length: 600 }, (_, index) => sessionRecord(`${"long ".repeat(20)}${index}`));
    const page = await open("/", {
      sessions: many,
      answers: {
        delete_sessions: ({ paths }) => ({
          deleted: paths.map((path) => ({ path, method: "trash" as const, companions: 0, left_behind: [] })),
          failed: [],
        }),
        undelete_session: null as never,
      },
    });
    await page.user.keyboard("{ArrowDown}{Control>}a{/Control}#");
    await waitFor(() => expect(page.asked("delete_sessions").flatMap(({ paths }) => paths)).toHaveLength(600));
    await screen.findByText(/^Moving 600 sessions to the trash/);
    await page.user.keyboard("z");
    await waitFor(() => expect(page.asked("undelete_session")).toHaveLength(600));
  });
});
