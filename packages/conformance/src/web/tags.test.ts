import type { Browser, Page } from "playwright-core";
import { afterAll, describe, expect, it } from "vitest";
import { browserProgram, test } from "../browser.ts";
import { PATIENT } from "../patient.ts";
import { type RealService, startRealService } from "../real-service.ts";
import { buildPage } from "./built-page.ts";
import { APPEARANCES, accessibilityProblems, openWebPage, PHONE } from "./web-browser.ts";

type Tag = { id: string; name: string; color: string; parent_id: string | null; session_count: number };

const link = (page: Page, name: string) => page.getByRole("link", { name: new RegExp(`^${name}`) });
const undo = (page: Page) => page.getByRole("button", { name: "Undo" }).last();

describe.skipIf(browserProgram === null)("tags in the page", () => {
  let service: RealService;
  let browser: Browser;

  test.beforeAll(async ({ browser: ofWorker }) => {
    browser = ofWorker;
    service = await startRealService({ web: await buildPage() });
  });

  afterAll(() => service?.[Symbol.asyncDispose]());

  const open = (options = {}) => openWebPage(browser, service.url, options);
  const tags = () => service.ask<Tag[]>("list_tags");
  const create = (name: string, parent_id: string | null = null) =>
    service.ask<Tag>("create_tag", { name, color: "#3a7fd5", parent_id });

  /** What the page shows of these tags, one below another with a dash. */
  const isTree = (page: Page, names: string[], expected: string[]) =>
    expect
      .poll(async () => {
        const texts = await page
          .locator("[data-tag] a")
          .evaluateAll((links) =>
            links.map(
              (one) => `${one.style.paddingLeft === "" ? "" : "- "}${one.querySelector(".truncate")?.textContent}`,
            ),
          );
        return texts.filter((text) => names.includes(text.replace(/^- /, "")));
      }, PATIENT)
      .toEqual(expected);

  it("are dragged onto others and onto the heading, which is taken back", async () => {
    const names = ["dragged", "dropped on"];
    for (const name of names) await create(name);
    await using opened = await open();
    const { page, problems } = opened;
    await link(page, "dragged").dragTo(link(page, "dropped on"));
    await isTree(page, names, ["dropped on", "- dragged"]);
    await undo(page).click();
    await isTree(page, names, names);
    await link(page, "dropped on").dragTo(link(page, "dragged"));
    await isTree(page, names, ["dragged", "- dropped on"]);
    await link(page, "dropped on").dragTo(page.getByRole("heading", { name: "Tags" }));
    await isTree(page, names, names);
    await page.keyboard.press("z");
    await isTree(page, names, ["dragged", "- dropped on"]);
    expect(problems).toEqual([]);
  });

  it("are deleted, and come back with their sessions and the tags below them", async () => {
    const at = new Date().toISOString();
    const paths: string[] = [];
    for (const id of ["one", "two", "archived"]) {
      const head = { type: "session", version: 3, id, timestamp: at, cwd: "/home/user/tags" };
      const message = { role: "user", content: id };
      paths.push(
        await service.home.add(id, [head, { type: "message", id: "00000001", parentId: null, timestamp: at, message }]),
      );
    }
    await service.settled();
    const parent = await create("gone and back");
    await create("child", parent.id);
    // Its name is taken where it moves up to.
    await create("child");
    await service.ask("assign_tag", { session_paths: paths, tag_id: parent.id });
    await service.ask("archive_session", { paths: paths.slice(2) });
    const names = ["child", "child (2)", "gone and back"];
    const before = await tags();
    await using opened = await open();
    const { page, problems } = opened;
    await link(page, "gone and back").click();
    await link(page, "gone and back").press("Delete");
    const dialog = page.getByRole("dialog");
    await dialog.getByText(/^3 sessions lose this tag/).waitFor();
    await dialog.getByText(/^1 tag below it/).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Delete tag" }).click();
    await isTree(page, names, ["child", "child (2)"]);
    await expect.poll(() => new URL(page.url()).search, PATIENT).toBe("");
    await page.getByText("Deleted the tag").waitFor();
    await page.keyboard.press("Control+z");
    await isTree(page, names, ["child", "gone and back", "- child"]);
    const idless = (all: Tag[]) => all.map(({ name, color, session_count }) => ({ name, color, session_count }));
    await expect.poll(async () => idless(await tags()), PATIENT).toEqual(idless(before));
    const [revived] = (await tags()).filter(({ name }) => name === "gone and back");
    const { sessions } = await service.ask<{ sessions: { path: string }[] }>("list_sessions", {
      tag_ids: [revived?.id],
      archived: "include",
    });
    expect(sessions.map(({ path }) => path).sort()).toEqual([...paths].sort());
    expect(problems).toEqual([]);
  });

  it("are merged on a phone, where a menu does not fit beside another one", async () => {
    await create("one of two");
    const other = await create("the other one, with a name that is longer than a menu is wide");
    await using opened = await open({ ...PHONE, viewport: { width: 390, height: 844 } });
    const { page, problems } = opened;
    await page.getByRole("button", { name: "Menu", exact: true }).tap();
    await page.getByRole("button", { name: "Actions for one of two" }).tap();
    await page.getByRole("menuitem", { name: "Merge into" }).tap();
    const item = page.getByRole("menuitemradio", { name: other.name });
    await item.waitFor();
    const edges = async () => {
      const box = await page.getByRole("menu").last().boundingBox();
      return box === null ? null : [box.x >= 0, box.x + box.width <= 390];
    };
    await expect.poll(edges, PATIENT).toEqual([true, true]);
    await item.tap();
    await expect.poll(async () => (await tags()).map(({ name }) => name), PATIENT).not.toContain("one of two");
    expect(problems).toEqual([]);
  });

  it.each(APPEARANCES)(
    "have a menu, and a dialog that is accessible, in the %s theme on %s",
    async (colorScheme, device, options) => {
      const name = `${colorScheme} tag of ${device}`;
      await create(name);
      await using opened = await open({ colorScheme, ...options });
      const { page, problems } = opened;
      const isPhone = device === "a phone";
      if (isPhone) await page.getByRole("button", { name: "Menu", exact: true }).tap();
      await link(page, name).waitFor();
      if (!isPhone) await link(page, name).hover();
      const button = page.getByRole("button", { name: `Actions for ${name}` });
      const menu = page.getByRole("menu");
      await button.click();
      await menu.waitFor();
      await page.keyboard.press("Escape");
      await menu.waitFor({ state: "detached" });
      // Beside the button each time, be it above or below.
      const ofButton = await button.boundingBox();
      await button.click();
      await menu.waitFor();
      const gap = async () => {
        const ofMenu = await menu.boundingBox();
        if (ofMenu === null || ofButton === null) throw new Error("The menu or its button is not shown.");
        const gaps = [ofMenu.y - ofButton.y - ofButton.height, ofButton.y - ofMenu.y - ofMenu.height];
        return Math.min(...gaps.map(Math.abs));
      };
      // It has its size before it has its place.
      await expect.poll(gap, PATIENT).toBeLessThan(50);
      await page.getByRole("menuitem", { name: /^Edit name and color/ }).click();
      await page.getByRole("radio", { name: "Blue" }).press("ArrowRight");
      expect(await accessibilityProblems(page)).toEqual([]);
      await page.getByRole("button", { name: "Save" }).click();
      await expect.poll(async () => (await tags()).find((one) => one.name === name)?.color, PATIENT).toBe("#7a63d4");
      expect(problems).toEqual([]);
    },
  );
});
