import { screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { densityPreference } from "../appearance/density.ts";
import { sessionRecord } from "../list/record.fixture.ts";
import { openPage } from "../page.fixture.tsx";
import { savedSearches } from "../search/saved-searches.ts";

const SESSIONS = [
  sessionRecord("Names with umlauts"),
  sessionRecord("Say hello", { cwd: "/home/user/other" }),
  sessionRecord("Open a terminal by hand"),
];
const TAG = { id: "tag-1", name: "high water", color: "#336699", parent_id: null, position: 0, session_count: 0 };

const palette = () => screen.findByRole("dialog", { name: "Command palette" });
const options = async () => within(await palette()).getAllByRole("option");
const chosen = async () =>
  (await options()).find((option) => option.getAttribute("aria-selected") === "true")?.textContent;
const isClosed = () => waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());

async function open() {
  savedSearches.set([{ name: "Kept", search: "?q=tide&role=user" }]);
  const page = await openPage("/", { sessions: SESSIONS, answers: { list_tags: [TAG] } });
  const type = async (text: string) => {
    await page.user.keyboard("{Control>}k{/Control}");
    await palette();
    if (text !== "") await page.user.keyboard(text);
  };
  return { ...page, type };
}

it.each([
  ["a session by its title", "umlau", "Names with umlauts", /^\/session\?path=.*umlauts/],
  ["a project", "/home/user/other", "/home/user/other", /^\/\?project=%2Fhome%2Fuser%2Fother$/],
  ["a tag", "high wat", "high water", /^\/\?tag=tag-1$/],
  ["a saved search", "kept", "Kept", /^\/search\?q=tide&role=user$/],
  ["a screen", "statistics", "Statistics", /^\/statistics/],
  ["a screen by another name", "stats", "Statistics", /^\/statistics/],
  ["what counts tokens", "tokens cost", "Statistics", /^\/statistics/],
  ["a part of the settings", "api tokens", "API tokens", /^\/settings\/api-keys/],
])("the palette goes to %s", async (_what, text, name, address) => {
  const page = await open();
  await page.type(text);
  await waitFor(async () => expect(await chosen()).toContain(name));
  await page.user.keyboard("{Enter}");
  await waitFor(() => expect(page.address()).toMatch(address));
});

it("the palette searches all text for what nothing is called, and closes by its own keys", async () => {
  const page = await open();
  await page.type("no such thing anywhere");
  await waitFor(async () => expect(await options()).toHaveLength(1));
  await page.user.keyboard("{Control>}k{/Control}");
  await isClosed();
  await page.type("no such thing anywhere");
  await waitFor(async () => expect(await chosen()).toBe("Search all text for “no such thing anywhere”"));
  await page.user.keyboard("{Enter}");
  await waitFor(() => expect(page.address()).toBe("/search?q=no+such+thing+anywhere"));
});

it("the palette begins with the newest sessions, each with its project and its day", async () => {
  const page = await open();
  await page.type("");
  within(await palette()).getByText("Recent sessions");
  const all = (await options()).map(({ textContent }) => textContent);
  expect(
    all
      .slice(0, 3)
      .map((text) => text?.replace(/(project|other).*/, " $1"))
      .sort(),
  ).toEqual(["Names with umlauts project", "Open a terminal by hand project", "Say hello other"]);
  expect(all[0]).toMatch(/Mar 1/);
});

it("the palette does what is chosen, also from a field, puts it first the next time and gives the focus back", async () => {
  const page = await open();
  await page.user.click(screen.getByRole("searchbox"));
  await page.type("light and dark");
  await waitFor(async () => expect(await options()).toHaveLength(2));
  await page.user.keyboard("{Enter}");
  await isClosed();
  expect(document.documentElement.dataset.theme).toBe("dark");
  await page.type("");
  const used = (await within(await palette()).findByText("Recently used")).closest("[cmdk-group]") as HTMLElement;
  expect(within(used).getAllByRole("option")[0]?.textContent).toContain("Switch between light and dark");
  await page.user.keyboard("{Escape}");
  await isClosed();
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole("searchbox")));
});

it("the palette changes how close rows are", async () => {
  const page = await open();
  await page.type("compact");
  await waitFor(async () => expect(await chosen()).toContain("Compact"));
  await page.user.keyboard("{Enter}");
  await waitFor(() => expect(densityPreference.get()).toBe("compact"));
  densityPreference.set("comfortable");
});

it.each(["terminal by", "open a term"])("the palette puts first what the words are in: %s", async (words) => {
  const page = await open();
  await page.type(words);
  await waitFor(async () => expect((await options())[0]?.textContent).toContain("Open a terminal by hand"));
});

it("the palette keeps the focus, and its list is walked through with the arrows, Home and End", async () => {
  const page = await open();
  await page.type("");
  const all = (await options()).map(({ textContent }) => textContent);
  for (const [key, at] of [
    ["{ArrowDown}", 1],
    ["{ArrowDown}", 2],
    ["{ArrowUp}", 1],
    ["{End}", -1],
    ["{Home}", 0],
  ] as const) {
    await page.user.keyboard(key);
    expect(await chosen()).toBe(all.at(at));
  }
  await page.user.tab();
  expect((await palette()).contains(document.activeElement)).toBe(true);
});
