import type { CommandOutput } from "@sm/router/client";
import { screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { sessionRecord } from "../list/record.fixture.ts";
import { openPage } from "../page.fixture.tsx";
import type { SearchHit } from "./result-rows.ts";

const hit = (name: string, entry_id: string, fields: Partial<SearchHit> = {}): SearchHit => ({
  session_path: `/sessions/${name}.jsonl`,
  format: "pi",
  session_id: name,
  session_title: name,
  cwd: null,
  entry_id,
  role: "user",
  kind: "text",
  tool_name: null,
  timestamp: null,
  snippet: "the tide rises",
  highlights: [[4, 8]],
  score: 1,
  ...fields,
});

const HITS = [hit("Tides", "a"), hit("Tides", "b"), hit("Clocks", "c", { kind: "bash" })];

const FOUND: CommandOutput<"search"> = {
  hits: HITS,
  total: 3,
  total_is_exact: true,
  next_cursor: null,
  took_ms: 1,
  indexing: { done: 3, pending: 0 },
};

const results = () => screen.findByRole("region", { name: "Results" });
const opened = async () =>
  within(await results())
    .getAllByRole("link")
    .filter((link) => link.getAttribute("aria-current") === "true")
    .map((link) => new URL((link as HTMLAnchorElement).href).searchParams.get("entry"));
const parameter = (name: string) => new URLSearchParams(location.search).get(name);

function open(address: string) {
  return openPage(address, {
    sessions: [sessionRecord("Tides"), sessionRecord("Clocks")],
    answers: { search: FOUND },
  });
}

it("the results stay beside the hit that is read, and n and N go through them, from session to session", async () => {
  const page = await open("/search?q=tide");
  const links = within(await results()).getAllByRole("link", { name: /the tide rises/ });
  await screen.findByText("3 matches in 2 sessions");
  await page.user.click(links[0] as HTMLElement);
  await waitFor(() => expect(location.pathname).toBe("/session"));
  expect([parameter("path"), parameter("entry"), parameter("hits")]).toEqual(["/sessions/Tides.jsonl", "a", "q=tide"]);
  await waitFor(async () => expect(await opened()).toEqual(["a"]));
  expect(screen.queryByRole("grid")).toBeNull();
  await page.user.keyboard("n");
  await waitFor(async () => expect(await opened()).toEqual(["b"]));
  await page.user.keyboard("n");
  await waitFor(async () => expect(await opened()).toEqual(["c"]));
  expect(parameter("path")).toBe("/sessions/Clocks.jsonl");
  // Behind the last one there is none.
  await page.user.keyboard("n");
  await page.user.keyboard("{Shift>}N{/Shift}");
  await waitFor(async () => expect(await opened()).toEqual(["b"]));
  expect(parameter("mark")).toBe("tide");
});

it("another search is made beside what is read, and the list comes back", async () => {
  const page = await open("/session?path=%2Fsessions%2FTides.jsonl&entry=b&hits=q%3Dtide%26sort%3Dnewest");
  await waitFor(async () => expect(await opened()).toEqual(["b"]));
  const field = screen.getByRole("searchbox", { name: "Search all sessions" });
  expect(document.activeElement).not.toBe(field);
  await page.user.clear(field);
  await page.user.type(field, "ebb");
  await waitFor(() => expect(parameter("hits")).toBe("q=ebb&sort=newest"));
  expect(page.asked("search").at(-1)).toMatchObject({ query: "ebb", sort: "newest" });
  expect(parameter("entry")).toBe("b");
  await page.user.click(screen.getByRole("button", { name: "Show the list instead of the results" }));
  await screen.findByRole("grid");
  expect(parameter("hits")).toBeNull();
  expect(parameter("path")).toBe("/sessions/Tides.jsonl");
});

it("what is code stands in the font of code", async () => {
  await open("/search?q=tide");
  const links = within(await results()).getAllByRole("link", { name: /the tide rises/ });
  expect(links.map((link) => link.querySelector("bdi")?.classList.contains("font-mono"))).toEqual([false, false, true]);
});
