import type { LiveSession } from "@sm/core";
import type { Browser } from "playwright-core";
import { afterAll, describe, expect, it, vi } from "vitest";
import { browserProgram, test } from "../browser.ts";
import { type LiveService, startLiveService } from "../live-service.ts";
import { PATIENT } from "../patient.ts";
import { Watcher } from "../session-watcher.ts";
import { buildPage } from "./built-page.ts";
import { accessibilityProblems, openWebPage } from "./web-browser.ts";

describe.skipIf(browserProgram === null)("a session that an agent is at work in", () => {
  let live: LiveService;
  let browser: Browser;
  let path: string;

  test.beforeAll(async ({ browser: ofWorker }) => {
    browser = ofWorker;
    live = await startLiveService({ web: await buildPage() });
    const [watcher, { session_id }] = await Watcher.start(live.service.url, { cwd: live.project, name: "At work" });
    await watcher.run("An answer makes it a file.");
    await watcher[Symbol.asyncDispose]();
    // Told by the agent some time after the answer.
    path = await vi.waitUntil(async () => {
      const sessions = await live.service.ask<LiveSession[]>("get_coding_live_sessions");
      return sessions.find((session) => session.session_id === session_id)?.session_path;
    }, PATIENT);
  });

  afterAll(async () => {
    await live[Symbol.asyncDispose]();
  });

  it("is deleted only by those who insist", async () => {
    await using opened = await openWebPage(browser, `${live.service.url}/?live=1`, { isLast: true });
    const { page, problems } = opened;
    const row = page.locator("[role=row][aria-selected]").filter({ hasText: "At work" });
    const dialog = page.getByRole("dialog", { name: "An agent is using this session" });
    /** Why the session cannot be read; `null` where it can. */
    const problem = async () => (await live.service.call("read_session_tree", { path })).error;
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
    await page.clock.runFor(10_000);
    await row.waitFor();
    expect(await problem()).toBeNull();
    await ask();
    await dialog.getByRole("button", { name: "Delete anyway" }).click();
    await row.waitFor({ state: "detached" });
    await page.clock.runFor(8_000);
    await expect.poll(problem, PATIENT).toMatchObject({ code: "NOT_FOUND" });
    expect(problems).toEqual([]);
  });
});
