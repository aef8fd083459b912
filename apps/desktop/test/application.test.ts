import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { Key } from "selenium-webdriver";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Application, applicationPath, openApplication, PATIENCE_MS } from "./application.ts";
import { type Desktop, startDesktop } from "./desktop.ts";
import { kill, LINK, makeUser, type User } from "./user.ts";
import { windowTitled } from "./windows.ts";

const PATIENT = { timeout: PATIENCE_MS };
const TITLE = "main h1";
const ROWS = "[role=grid] [role=row]";

/** The tests are one visit: each goes on where the one before has left the window. */
describe("the desktop application", () => {
  let user: User;
  let desktop: Desktop;
  let application: Application;

  beforeAll(async () => {
    user = await makeUser();
    desktop = await startDesktop();
    application = await openApplication(user, desktop);
  });

  afterAll(async () => {
    await application?.[Symbol.asyncDispose]();
    await user?.[Symbol.asyncDispose]();
    await desktop?.[Symbol.asyncDispose]();
  });

  const find: Application["find"] = (...wanted) => application.find(...wanted);
  const chord = async (key: string, ...modifiers: string[]) => {
    const actions = application.driver.actions();
    for (const modifier of modifiers) actions.keyDown(modifier);
    actions.sendKeys(key);
    for (const modifier of modifiers) actions.keyUp(modifier);
    await actions.perform();
  };
  const server = async () => {
    const found = (await application.processes()).find(({ command }) => command[1]?.endsWith("main.js"));
    if (found === undefined) throw new Error("There is no process of the service.");
    return found;
  };

  it("shows the user's sessions", async () => {
    await find(ROWS, "Why does Größe fail?");
    await find(ROWS, "How are lines parsed?");
    expect(await application.driver.getTitle()).toContain("Session Manager");
  });

  it("opens a session", async () => {
    await (await find(`${ROWS} a`, "Why does Größe fail?")).click();
    await find(TITLE, "Why does Größe fail?");
    await find("main", "Umlauts fail");
  });

  it("opens links to elsewhere in the user's browser", async () => {
    const before = await application.driver.getCurrentUrl();
    await (await find(`a[href="${LINK}"]`)).click();
    await expect.poll(user.openedAddresses, PATIENT).toEqual([LINK]);
    expect(await application.driver.getCurrentUrl()).toBe(before);
    expect(await application.driver.getAllWindowHandles()).toHaveLength(1);
  });

  it("exports with Ctrl+E, to a page in the user's browser", async () => {
    await chord("e", Key.CONTROL);
    await expect.poll(async () => (await user.openedAddresses()).length, PATIENT).toBe(2);
    const [, address = ""] = await user.openedAddresses();
    const page = await fetch(address);
    expect(page.headers.get("Content-Disposition")).toMatch(/^inline;/);
    expect(page.headers.get("Content-Security-Policy")).toContain("sandbox");
    expect(await page.text()).toContain("Umlauts fail");
  });

  it("saves an export where the user says", async () => {
    await chord("e", Key.CONTROL, Key.SHIFT);
    await (await find("[role=dialog] [role=radio]", "JSONL")).click();
    await (await find("[role=dialog] button", "Save")).click();
    const dialog = await windowTitled("Save", application.environment);
    const saved = join(user.home, "Downloads", "saved.jsonl");
    // In place of the name that is suggested.
    await dialog.press("ctrl+a");
    await dialog.type(saved);
    await dialog.press("Return");
    await find("section[aria-live]", `Saved as ${saved}`);
    expect(await readFile(saved)).toEqual(await readFile(user.session));
  });

  it("asks the file manager to show the file of a session", async () => {
    const row = await find(`${ROWS} a`, "How are lines parsed?");
    await application.driver.actions().contextClick(row).perform();
    await (await find("[role=menuitem]", "Show in the file manager")).click();
    await expect
      .poll(desktop.busTraffic, PATIENT)
      .toMatch(/member=ShowItems\n\s+array \[\n\s+string "file:.*parsers\.jsonl"/);
    // There is none on a test machine, and the page says so.
    await find("section[aria-live]", "Could not show the file");
  });

  it("asks the system to show a notification", async () => {
    const content = { title: "<b>A session</b>", body: "The agent is done.", address: "/" };
    await application.driver.executeScript("__TAURI_INTERNALS__.invoke('notify', arguments[0])", content);
    await expect
      .poll(desktop.busTraffic, PATIENT)
      .toMatch(/member=Notify\n(.*\n){3}.*"<b>A session<\/b>"\n.*"The agent is done\."/);
  });

  it("is one: a second start hands its file over and ends", async () => {
    await promisify(execFile)(applicationPath(), [user.otherSession], { env: application.environment });
    await find(TITLE, "How are lines parsed?");
    expect((await application.processes()).filter(({ command }) => command[1]?.endsWith("main.js"))).toHaveLength(1);
  });

  it("says what to do about a file that is in no session directory", async () => {
    const outside = join(user.home, "Downloads", "saved.jsonl");
    await promisify(execFile)(applicationPath(), [outside], { env: application.environment });
    await find("section[aria-live]", "is not in a session directory");
    await find(TITLE, "How are lines parsed?");
  });

  it("starts a service again that has crashed, and says so", async () => {
    const { pid } = await server();
    const told = find("body", "The service stopped unexpectedly");
    kill(pid);
    await told;
    await find(ROWS, "Why does Größe fail?");
    expect((await server()).pid).not.toBe(pid);
    // It is where the user has left it.
    await find(TITLE, "How are lines parsed?");
  });

  it.each(["try_again", "plugin:opener|open_path", "plugin:dialog|open", "plugin:event|emit", "plugin:window|close"])(
    "does nothing else for its page: %s",
    async (command) => {
      const invoke = `const [command, done] = arguments;
        __TAURI_INTERNALS__.invoke(command, { path: "/etc/passwd" }).then(() => done("done"), (error) => done(String(error)));`;
      expect(await application.driver.executeAsyncScript(invoke, command)).toMatch(/not allowed|not found/);
    },
  );

  it("does what its menu says", async () => {
    const window = await windowTitled("Session Manager", application.environment);
    // Settings: a key of the menu, and none of the page's own. A page that was just loaded may not listen yet.
    const pressed = async () => {
      await window.press("ctrl+comma");
      return application.driver.getCurrentUrl();
    };
    await expect.poll(pressed, PATIENT).toContain("/settings");
  });

  it("leaves nothing behind when it is closed", async () => {
    expect((await application.processes()).length).toBeGreaterThan(2);
    const window = await windowTitled("Session Manager", application.environment);
    await window.press("ctrl+q");
    await expect.poll(application.processes, PATIENT).toEqual([]);
  });
});
