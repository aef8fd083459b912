import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type LiveService, startLiveService } from "../live-service.ts";
import { PATIENT } from "../patient.ts";
import { Watcher } from "../session-watcher.ts";
import { findSystemProgram } from "../system-program.ts";
import { buildPage } from "./built-page.ts";
import { accessibilityProblems, launchBrowser, openWebPage } from "./web-browser.ts";

const program = findSystemProgram("chromium");

describe.skipIf(program === null)("a session that an agent is at work in", () => {
  let live: LiveService;
  let browser: Browser;
  let path: string;

  beforeAll(async () => {
    const web = await buildPage();
    live = await startLiveService({ web });
    browser = await launchBrowser(program);
    const [watcher, { session_id }] = await Watcher.start(live.service.url, { cwd: live.project, name: "At work" });
    await watcher.run("An answer makes it a file.");
    await watcher[Symbol.asyncDispose]();
    const sessions = await live.service.ask<{ session_id: string; session_path: string }[]>("get_coding_live_sessions");
    path = sessions.find((session) => session.session_id === session_id)?.session_path ?? "";
    // The page is built, a browser and an agent are started, on a busy machine.
  }, 120_000);

  afterAll(async () => {
    await browser.close();
    await live[Symbol.asyncDispose]();
  });

  it("is deleted only by those who insist", async () => {
    await using opened = await openWebPage(browser, `${live.service.url}/?live=1`);
    const { page, problems } = opened;
    const row = page.locator("[role=row][aria-selected]").filter({ hasText: "At work" });
    const dialog = page.getByRole("dialog", { name: "An agent is at work in this session" });
    const isThere = async () => (await live.service.call("read_session_tree", { path })).success;
    const ask = async () => {
      await row.click({ button: "right" });
      await page.getByRole("menuitem", { name: "Delete" }).click();
      await dialog.waitFor();
    };
    await row.waitFor();
    await page.clock.install();
    await ask();
    expect(await accessibilityProblems(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await dialog.waitFor({ state: "detached" });
    await page.clock.runFor(60_000);
    await row.waitFor();
    expect(await isThere()).toBe(true);
    await ask();
    await dialog.getByRole("button", { name: "Delete anyway" }).click();
    await row.waitFor({ state: "detached" });
    await page.clock.runFor(20_000);
    await expect.poll(isThere, PATIENT).toBe(false);
    expect(problems).toEqual([]);
  });
});
