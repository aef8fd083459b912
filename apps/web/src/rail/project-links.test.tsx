import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, it } from "vitest";
import { sessionRecord } from "../list/record.fixture.ts";
import { openPage } from "../page.fixture.tsx";
import { pinnedProjects, projectSort } from "./project-choices.ts";

const rail = () => screen.getByRole("navigation", { name: "Navigation" });
const section = () => {
  const heading = within(rail()).getByRole("heading", { name: "Projects" });
  return within(heading.closest("section") as HTMLElement);
};
const names = () =>
  section()
    .getAllByRole("link")
    .map(({ textContent }) => textContent);

const at = (cwd: string, minute: number) =>
  sessionRecord(`Of ${cwd} ${minute}`, { cwd, modified_at: new Date(Date.UTC(2026, 2, 1, 12, minute)).toISOString() });

const SESSIONS = [at("/code/src/search-web", 3), at("/code/old/search-web", 2), at("/code/app", 1), at("/code/app", 0)];

beforeEach(() => {
  pinnedProjects.set([]);
  projectSort.set("recent");
});

async function open(sessions = SESSIONS) {
  const page = await openPage("/", { sessions });
  await within(rail()).findByRole("heading", { name: "Projects" });
  return page;
}

it("projects of one name are told apart, in the navigation and in the rows", async () => {
  await open();
  expect(names()).toEqual(["src/search-web1", "old/search-web1", "app2"]);
  const row = (await screen.findByRole("link", { name: "Of /code/old/search-web 2" })).closest(
    "[role=row]",
  ) as HTMLElement;
  within(row).getByText("old/search-web");
});

it("projects are pinned and sorted", async () => {
  const { user } = await open();
  await user.click(section().getByRole("button", { name: "Pin app" }));
  expect(names()).toEqual(["app2", "src/search-web1", "old/search-web1"]);
  expect(pinnedProjects.get()).toEqual(["/code/app"]);
  await user.click(section().getByRole("button", { name: "Sort projects" }));
  await user.click(await screen.findByRole("menuitemradio", { name: "Name" }));
  await waitFor(() => expect(names()).toEqual(["app2", "old/search-web1", "src/search-web1"]));
  await user.click(section().getByRole("button", { name: "Unpin app" }));
  projectSort.set("sessions");
  await waitFor(() => expect(names()[0]).toBe("app2"));
});

it("many projects are filtered", async () => {
  const { user } = await open(Array.from({ length: 12 }, (_, index) => at(`/code/project ${index}`, index)));
  expect(names()).toHaveLength(10);
  const field = section().getByRole("searchbox", { name: "Filter projects" });
  await user.type(field, "T 11");
  await waitFor(() => expect(names()).toEqual(["project 111"]));
  await user.type(field, "x");
  await section().findByText("No matching projects");
  await user.keyboard("{Escape}");
  await waitFor(() => expect(names()).toHaveLength(10));
});

it("a second click on a project goes back to all sessions", async () => {
  const page = await open();
  await page.user.click(section().getByRole("link", { name: /^app/ }));
  await waitFor(() => expect(page.address()).toBe("/?project=%2Fcode%2Fapp"));
  await page.user.click(section().getByRole("link", { name: /^app/ }));
  await waitFor(() => expect(page.address()).toBe("/"));
});
