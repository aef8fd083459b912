import { CommandError, type CommandInput, type CommandName } from "@sm/router/client";
import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";
import type { Tag } from "../../client/tags.ts";
import { sessionRecord } from "../../list/record.fixture.ts";
import { openPage, type TestPage } from "../../page.fixture.tsx";

const ONE = sessionRecord("One conversation", { tag_ids: ["work"] });
const TWO = sessionRecord("Two conversation", { tag_ids: ["urgent"] });
const OLD = sessionRecord("Old conversation", { tag_ids: ["work"], archived_at: "2026-03-02T10:00:00.000Z" });

type Given<Name extends CommandName> = CommandInput<Name>;

const tag = (id: string, more: Partial<Tag> = {}): Tag => ({
  id,
  name: id,
  color: "#3a7fd5",
  parent_id: null,
  session_count: 0,
  ...more,
});

/** The page on a service that keeps tags as the real one does. */
async function open(tags: Tag[], options: { address?: string; locale?: "zh" } = {}) {
  let made = 0;
  const store = [...tags];
  const holder: { page?: TestPage } = {};
  const told = () => holder.page?.tell("config-changed", { origin: "update_tag" } as never);
  const find = (id: string) => store.find((one) => one.id === id) ?? new CommandError("NOT_FOUND", "No such tag.");
  const page = await openPage(options.address ?? "/?group=none&sort=title", {
    sessions: [ONE, TWO, OLD],
    ...(options.locale !== undefined && { locale: options.locale }),
    answers: {
      list_tags: () => store.map((one) => ({ ...one })).sort((a, b) => (a.name < b.name ? -1 : 1)),
      list_sessions: ({ tag_ids = null, archived = "exclude" }: Given<"list_sessions">) => {
        const shown = [ONE, TWO, OLD].filter(
          (record) =>
            (archived === "include" || (record.archived_at !== null) === (archived === "only")) &&
            (tag_ids === null || tag_ids.some((id) => id === "work" || record.tag_ids.includes(id))),
        );
        return { sessions: shown, total: shown.length, total_size_bytes: null, next_cursor: null, pending: 0 };
      },
      update_tag: ({ id, ...changes }: Given<"update_tag">) => {
        const found = find(id);
        if (found instanceof Error) return found;
        const clash = store.some((one) => one.id !== id && one.name === changes.name);
        if (clash) return new CommandError("CONFLICT", "There is a tag with this name.");
        Object.assign(found, changes);
        told();
        return found;
      },
      create_tag: ({ name, color, parent_id = null }: Given<"create_tag">) => {
        made += 1;
        const created = tag(`made-${made}`, { name, color, parent_id });
        store.push(created);
        told();
        return created;
      },
      delete_tag: ({ id }: Given<"delete_tag">) => {
        const found = find(id);
        if (found instanceof Error) return found;
        store.splice(store.indexOf(found), 1);
        for (const one of store) {
          if (one.parent_id === id) Object.assign(one, { parent_id: found.parent_id, name: `${one.name} (2)` });
        }
        told();
        return { id, deleted: true };
      },
      remove_tag: { sessions: [] },
      assign_tag: (payload: Given<"assign_tag">) =>
        "session_paths" in payload ? { sessions: [] } : { session_path: "", tag_ids: [] },
    } as never,
  });
  holder.page = page;
  await screen.findAllByRole("row");
  await link("work");
  return { ...page, store };
}

const rail = () => screen.findByRole("navigation", { name: /Navigation|导航/ });
const link = async (name: string) => within(await rail()).findByRole("link", { name: new RegExp(`^${name}`) });
const tree = async () =>
  within(await rail())
    .getAllByRole("link")
    .filter((one) => one.closest("[data-tag]") !== null)
    .map((one) => `${one.style.paddingLeft === "" ? "" : "- "}${one.querySelector(".truncate")?.textContent}`);
const isTree = (expected: string[]) => waitFor(async () => expect(await tree()).toEqual(expected));
const notifications = () => screen.findByRole("region", { name: "Notifications" });
const told = async (text: string) => within(await notifications()).findByText(text);
const pressUndo = async (page: TestPage) =>
  page.user.click(
    within(await notifications())
      .getAllByRole("button", { name: "Undo" })
      .at(-1) as HTMLElement,
  );

/** Opens the places that a tag can be moved to, from its menu, with keys alone. */
async function chooseMove(page: TestPage) {
  await openPlaces(page, [/^Move below/]);
  await screen.findByRole("menuitemradio", { name: "Top level" });
}

/** Goes down in a tag's menu, past these items, and opens the last one. */
async function openPlaces(page: TestPage, items: RegExp[]) {
  const isAt = async (name: RegExp) => {
    const item = await screen.findByRole("menuitem", { name });
    await waitFor(() => expect(document.activeElement).toBe(item));
  };
  await isAt(/^Edit name and color/);
  for (const item of items) {
    await page.user.keyboard("{ArrowDown}");
    await isAt(item);
  }
  await page.user.keyboard("{ArrowRight}");
}

it("a tag gets another name and colour from its menu, and the former ones back", async () => {
  const page = await open([tag("work")]);
  await page.user.click(within(await rail()).getByRole("button", { name: "Actions for work" }));
  await page.user.click(await screen.findByRole("menuitem", { name: /^Edit name and color/ }));
  const dialog = await screen.findByRole("dialog");
  const name = within(dialog).getByRole("textbox", { name: "Tag name" });
  expect(document.activeElement).toBe(name);
  await page.user.clear(name);
  await page.user.type(name, "Deep work");
  expect(within(dialog).getByRole("radio", { name: "Blue" })).toHaveProperty("checked", true);
  await page.user.click(within(dialog).getByRole("radio", { name: "Green" }));
  await page.user.click(within(dialog).getByRole("button", { name: "Save" }));
  await isTree(["Deep work"]);
  expect(page.asked("update_tag")).toEqual([{ id: "work", name: "Deep work", color: "#3f9d5a" }]);
  await told("Changed the tag “Deep work”");
  await pressUndo(page);
  await isTree(["work"]);
  expect(page.store[0]).toMatchObject({ name: "work", color: "#3a7fd5" });
});

it("a tag is renamed with the keyboard alone, and the key of undo takes it back", async () => {
  const page = await open([tag("work")]);
  (await link("work")).focus();
  await page.user.keyboard("{F2}");
  await screen.findByRole("textbox", { name: "Tag name" });
  await page.user.keyboard("Deep work{Enter}");
  await isTree(["Deep work"]);
  await waitFor(async () => expect(document.activeElement).toBe(await link("Deep work")));
  await page.user.keyboard("z");
  await isTree(["work"]);
});

it("a name that is taken is told in the dialog, and nothing is there to be taken back", async () => {
  const page = await open([tag("work"), tag("play")]);
  (await link("work")).focus();
  await page.user.keyboard("{F2}");
  await screen.findByRole("textbox", { name: "Tag name" });
  await page.user.keyboard("play{Enter}");
  await within(await screen.findByRole("dialog")).findByText("There is a tag with this name.");
  await page.user.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  await page.user.keyboard("z");
  expect(page.asked("update_tag")).toHaveLength(1);
});

it("colours have names, and one that is none of them is kept", async () => {
  const page = await open([tag("work", { color: "#123456" })], { locale: "zh" });
  (await link("work")).focus();
  await page.user.keyboard("{F2}");
  const names = (await within(await screen.findByRole("dialog")).findAllByRole("radio")).map((one) =>
    one.getAttribute("aria-label"),
  );
  expect(names).toEqual(["红色", "橙色", "黄色", "绿色", "青色", "蓝色", "紫色", "粉色", "灰色", "原有颜色"]);
});

it("a tag is nested and moved out with the keyboard alone, never below itself", async () => {
  const page = await open([tag("play"), tag("urgent", { parent_id: "work" }), tag("work")]);
  await isTree(["play", "work", "- urgent"]);
  (await link("work")).focus();
  await page.user.keyboard("{Shift>}{F10}{/Shift}");
  await chooseMove(page);
  const places = screen.getAllByRole("menuitemradio");
  expect(places.map((one) => one.textContent)).toEqual(["Top level", "play"]);
  await waitFor(() => expect(document.activeElement).toBe(places[0]));
  await page.user.keyboard("{ArrowDown}");
  await waitFor(() => expect(document.activeElement).toBe(places[1]));
  await page.user.keyboard("{Enter}");
  await isTree(["play", "- work", "- urgent"]);
  expect(page.asked("update_tag")).toEqual([{ id: "work", parent_id: "play" }]);
  await told("Moved the tag “work”");
  await page.user.keyboard("z");
  await isTree(["play", "work", "- urgent"]);

  (await link("urgent")).focus();
  await page.user.keyboard("{Shift>}{F10}{/Shift}");
  await chooseMove(page);
  await page.user.keyboard("{Home}");
  await waitFor(() => expect(document.activeElement?.textContent).toBe("Top level"));
  await page.user.keyboard("{Enter}");
  await isTree(["play", "urgent", "work"]);
  await page.user.keyboard("z");
  await isTree(["play", "work", "- urgent"]);
});

it("a tag is dragged onto another one, and onto the heading", async () => {
  const page = await open([tag("urgent", { parent_id: "work" }), tag("work")]);
  const heading = within(await rail()).getByRole("heading", { name: "Tags" });
  fireEvent.dragStart(await link("work"));
  expect(fireEvent.dragOver(await link("urgent"))).toBe(true);
  fireEvent.dragEnd(await link("work"));
  fireEvent.dragStart(await link("urgent"));
  expect(fireEvent.dragOver(heading)).toBe(false);
  fireEvent.drop(heading);
  await isTree(["urgent", "work"]);
  fireEvent.dragEnd(await link("urgent"));
  fireEvent.dragStart(await link("urgent"));
  fireEvent.dragOver(await link("work"));
  fireEvent.drop(await link("work"));
  await isTree(["work", "- urgent"]);
  await waitFor(async () => {
    expect(within(await notifications()).getAllByText("Moved the tag “urgent”")).toHaveLength(2);
  });
  await page.user.keyboard("zz");
  await isTree(["work", "- urgent"]);
  expect(page.asked("update_tag")).toHaveLength(4);
});

it("a tag is deleted with what it means told, and comes back with its sessions and the tags below it", async () => {
  const page = await open([tag("play"), tag("urgent", { parent_id: "work" }), tag("work", { color: "#123456" })], {
    address: "/?group=none&tag=work",
  });
  fireEvent.contextMenu(await link("work"));
  await page.user.click(await screen.findByRole("menuitem", { name: /^Delete tag/ }));
  const dialog = await screen.findByRole("dialog", { name: "Delete the tag “work”?" });
  await within(dialog).findByText(/^2 sessions lose this tag/);
  within(dialog).getByText("1 tag below it moves up one level.");
  await page.user.click(within(dialog).getByRole("button", { name: "Delete tag" }));
  await isTree(["play", "urgent (2)"]);
  expect(page.address()).not.toContain("work");
  await told("Deleted the tag “work”");
  await pressUndo(page);
  await isTree(["play", "work", "- urgent"]);
  expect(page.store.find(({ name }) => name === "work")).toMatchObject({ id: "made-1", color: "#123456" });
  expect(page.asked("assign_tag")).toEqual([{ session_paths: [ONE.path, OLD.path], tag_id: "made-1" }]);
});

it("a tag is merged into another one with its sessions and the tags below it, and comes out again", async () => {
  const page = await open([tag("play"), tag("urgent", { parent_id: "work" }), tag("work")], {
    address: "/?group=none&tag=work",
  });
  (await link("work")).focus();
  await page.user.keyboard("{Shift>}{F10}{/Shift}");
  await openPlaces(page, [/^Move below/, /^Merge into/]);
  const choices = await screen.findAllByRole("menuitemradio");
  expect(choices.map((one) => one.textContent)).toEqual(["play"]);
  await waitFor(() => expect(document.activeElement).toBe(choices[0]));
  await page.user.keyboard("{Enter}");
  await isTree(["play", "- urgent"]);
  expect(page.asked("assign_tag")).toEqual([{ session_paths: [ONE.path, OLD.path], tag_id: "play" }]);
  expect(page.asked("delete_tag")).toEqual([{ id: "work" }]);
  await told("Merged the tag “work” into “play”");
  expect(page.address()).toContain("tag=play");
  await pressUndo(page);
  await isTree(["play", "work", "- urgent"]);
  expect(page.asked("remove_tag")).toEqual([{ session_paths: [ONE.path, OLD.path], tag_id: "play" }]);
});

it("what was done before a deletion is taken back on the tag that came back, with keys alone", async () => {
  const page = await open([tag("play"), tag("work")]);
  (await link("work")).focus();
  await page.user.keyboard("{F2}");
  await screen.findByRole("textbox", { name: "Tag name" });
  await page.user.keyboard("old work{Enter}");
  await isTree(["old work", "play"]);
  await waitFor(async () => expect(document.activeElement).toBe(await link("old work")));
  await page.user.keyboard("{Delete}");
  await within(await screen.findByRole("dialog")).findByText(/^2 sessions lose this tag/);
  await page.user.keyboard("{Tab}{Tab}{Tab}");
  await waitFor(() => expect(document.activeElement?.textContent).toBe("Delete tag"));
  await page.user.keyboard("{Enter}");
  await isTree(["play"]);
  await waitFor(async () => expect(document.activeElement).toBe(await link("play")));
  await page.user.keyboard("z");
  await isTree(["old work", "play"]);
  await page.user.keyboard("z");
  await isTree(["play", "work"]);
  expect(page.asked("update_tag").at(-1)).toMatchObject({ id: "made-1", name: "work" });
});

it("sessions that are gone by then keep the others from nothing", async () => {
  const page = await open([tag("work")]);
  (await link("work")).focus();
  await page.user.keyboard("{Delete}");
  const dialog = await screen.findByRole("dialog");
  await within(dialog).findByText(/^2 sessions lose this tag/);
  await page.user.click(within(dialog).getByRole("button", { name: "Delete tag" }));
  await told("Deleted the tag “work”");
  page.answer({
    assign_tag: ((payload: { session_path?: string }) =>
      payload.session_path === OLD.path
        ? { session_path: OLD.path, tag_ids: [] }
        : new CommandError("NOT_FOUND", "No such session.")) as never,
  });
  await page.user.keyboard("z");
  await waitFor(() =>
    expect(page.asked("assign_tag").slice(1)).toEqual([
      { session_path: ONE.path, tag_id: "made-1" },
      { session_path: OLD.path, tag_id: "made-1" },
    ]),
  );
  await isTree(["work"]);
});
