import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, describe, expect, it } from "vitest";
import { browserProgram, test } from "../browser.ts";
import { PATIENT } from "../patient.ts";
import { type RealService, startRealService } from "../real-service.ts";
import { buildPage } from "./built-page.ts";
import { APPEARANCES, accessibilityProblems, openWebPage } from "./web-browser.ts";

/** The parts of the settings, with something that is there when they are loaded. */
const SECTIONS = [
  ["sessions", "Add directory"],
  ["appearance", "Saved in this browser only."],
  ["server", "Network and access"],
  ["models", "Import and export"],
  ["skills", "The name may contain a-z, 0-9 and hyphens only."],
  ["prompts", "Reviews what is staged"],
  ["themes", "Colors are missing"],
  ["api-keys", "New API token"],
  ["versions", "Initial configuration"],
  ["about", "OK"],
] as const;

const MODELS = { providers: { local: { baseUrl: "http://127.0.0.1:1/v1", models: [{ id: "small" }] } } };

/** What tests provoke. */
const EXPECTED = [
  "The configuration has unknown fields.",
  "A session directory is missing; its sessions are remembered for a day, in case its disk comes back",
];

const dialog = (page: Page) => page.getByRole("dialog");
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const editor = (page: Page) => page.getByRole("textbox", { name: "Model configuration as JSON" });

describe.skipIf(browserProgram === null)("the settings", () => {
  let web: string;
  let service: RealService;
  let browser: Browser;
  /** For files that are none of the agent's. */
  let folder: string;

  const agentFile = (...names: string[]) => join(service.home.folder, "agent", ...names);
  const configFile = () => join(service.home.folder, "config", "session-manager.json");
  const jsonIn = async (path: string) => JSON.parse(await readFile(path, "utf8")) as Record<string, unknown>;

  async function write(path: string, content: string): Promise<void> {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content);
  }

  test.beforeAll(async ({ browser: ofWorker }) => {
    browser = ofWorker;
    web = await buildPage();
    folder = await mkdtemp(join(tmpdir(), "session-manager-settings-"));
    service = await startRealService({ web, config: { my_field: { kept: true } }, expectedProblems: EXPECTED });
    const skill = (name: string, description: string) =>
      write(agentFile("skills", name, "SKILL.md"), `---\nname: ${name}\ndescription: ${description}\n---\n# Steps\n`);
    await Promise.all([
      skill("release-notes", "Writes release notes."),
      skill("Wrong_Name", "Has a name that the agent does not take."),
      write(
        agentFile("prompts", "review.md"),
        "---\ndescription: Reviews what is staged\nargument-hint: '[focus]'\n---\nReview $1.\n",
      ),
      write(agentFile("themes", "half.json"), JSON.stringify({ name: "half", colors: { accent: "#33aa88" } })),
      write(agentFile("models.json"), JSON.stringify(MODELS)),
      mkdir(join(folder, "more")),
    ]);
  });

  afterAll(async () => {
    await service?.[Symbol.asyncDispose]();
    await rm(folder, { recursive: true });
  });

  const open = (section: string, options: BrowserContextOptions = {}) =>
    openWebPage(browser, `${service.url}/settings/${section}`, options);

  it.each(APPEARANCES)("are accessible in the %s theme on %s", async (colorScheme, _device, options) => {
    await using opened = await open("", { colorScheme, ...options });
    const { page, problems } = opened;
    for (const [name, text] of SECTIONS) {
      await page.locator(`nav a[href="/settings/${name}"]`).first().click();
      await page.getByText(text).first().waitFor();
      expect(await accessibilityProblems(page)).toEqual([]);
      expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
      expect(new URL(page.url()).pathname).toBe(`/settings/${name}`);
      if (name !== "skills") continue;
      await page.getByRole("listitem").filter({ hasText: "release-notes" }).getByRole("button").click();
      await dialog(page).getByText("# Steps").waitFor();
      expect(await accessibilityProblems(page)).toEqual([]);
      await page.keyboard.press("Escape");
      await dialog(page).waitFor({ state: "detached" });
    }
    expect(problems).toEqual([]);
  });

  it("add and remove a directory, and say how many sessions are in each", async () => {
    const more = join(folder, "more");
    const source = await readFile(service.home.paths.branched, "utf8");
    await write(join(more, "moved.jsonl"), source.replace('"id":"branched"', '"id":"moved"'));
    await using opened = await open("sessions");
    const { page, problems } = opened;
    const own = page.getByRole("list", { name: "Added by you" });
    const usual = page.getByRole("list", { name: "Agent default" });
    const { sessions } = await service.ask<{ sessions: { path: string }[] }>("list_sessions");
    const inAgent = sessions.filter(({ path }) => path.startsWith(service.home.sessions)).length;
    await usual
      .getByRole("listitem")
      .filter({ hasText: service.home.sessions })
      .getByText(`${inAgent} sessions`)
      .waitFor();

    const field = page.getByRole("textbox", { name: "Add directory" });
    await field.fill(join(folder, "missing"));
    await page.keyboard.press("Enter");
    await page.getByText("Does not exist, or cannot be accessed.").waitFor();
    expect(await field.getAttribute("aria-invalid")).toBe("true");
    await field.fill(more);
    await page.keyboard.press("Enter");
    await own.getByRole("listitem").filter({ hasText: more }).getByText("1 session", { exact: true }).waitFor();
    expect(await service.ask("get_session_paths")).toEqual([more]);
    expect(await field.inputValue()).toBe("");

    await button(page, `Remove ${more}`).click();
    await own.waitFor({ state: "detached" });
    await button(page, "Undo").click();
    await own.getByText(more).waitFor();
    await rm(more, { recursive: true });
    await page.reload();
    await own.getByRole("listitem").filter({ hasText: more }).waitFor();
    await button(page, `Remove ${more}`).click();
    await expect.poll(() => service.ask("get_session_paths"), PATIENT).toEqual([]);
    expect(problems).toEqual([]);
  });

  it("choose colours and language, which the browser remembers", async () => {
    await using opened = await open("appearance");
    const { page, problems } = opened;
    const paper = () => page.evaluate("getComputedStyle(document.querySelector('main')).backgroundColor");
    await page.getByRole("heading", { name: "Settings: Appearance" }).waitFor();
    const light = await paper();
    await page.getByRole("radio", { name: "Dark" }).click();
    await expect.poll(paper, PATIENT).not.toBe(light);
    await page.getByRole("radio", { name: "简体中文" }).click();
    await page.getByRole("heading", { name: "外观" }).waitFor();
    await page.reload();
    await page.getByRole("heading", { name: "外观" }).waitFor();
    expect(await paper()).not.toBe(light);
    expect(problems).toEqual([]);
  });

  it("change the server's configuration, and say what is wrong with a field", async () => {
    await using opened = await open("server");
    const { page, problems } = opened;
    const port = page.getByRole("textbox", { name: "Port", exact: true });
    await port.fill("99999");
    await page.getByRole("textbox", { name: "Additional host names" }).fill("sessions.example.org\nother.example.org");
    await page.getByRole("switch", { name: "Allow terminals" }).click();
    await page.getByText("You have unsaved changes.").waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await button(page, "Save").click();
    await page.getByText("Not saved: 1 field is invalid.").waitFor();
    await page.getByText("It must be an integer from 0 to 65535.").waitFor();
    expect(await jsonIn(configFile())).not.toHaveProperty("terminals_enabled");
    await port.fill("0");
    await page.getByRole("textbox", { name: "Commands per connection" }).fill("99");
    await button(page, "Save").click();
    await page.getByText("Restart the service to apply the changes.").waitFor();
    expect(await jsonIn(configFile())).toMatchObject({
      http_port: 0,
      my_field: { kept: true },
      allowed_hosts: ["sessions.example.org", "other.example.org"],
      terminals_enabled: false,
      limits: { connection_commands: 99 },
    });
    expect(await jsonIn(configFile())).not.toHaveProperty("bind_addr");
    await page.getByRole("switch", { name: "Allow terminals" }).click();
    await button(page, "Discard changes").click();
    expect(await page.getByRole("switch", { name: "Allow terminals" }).isChecked()).toBe(false);
    expect(problems).toEqual([]);
  });

  it("make an API token, show it once, and revoke it", async () => {
    await using opened = await open("api-keys", { permissions: ["clipboard-read", "clipboard-write"] });
    const { page, problems } = opened;
    await button(page, "New API token").click();
    await page.keyboard.type("phone");
    await dialog(page).getByRole("combobox", { name: "Expires after" }).click();
    await page.getByRole("option", { name: "30 days" }).click();
    expect(await accessibilityProblems(page)).toEqual([]);
    await button(page, "Create token").click();
    const token = (await dialog(page).locator("code").textContent()) ?? "";
    expect(token).toMatch(/^sm_[\w-]{43}$/);
    expect(await accessibilityProblems(page)).toEqual([]);
    await button(page, "Copy").click();
    expect(await page.evaluate("navigator.clipboard.readText()")).toBe(token);
    // A wrong click does not lose it.
    await page.keyboard.press("Escape");
    await page.mouse.click(5, 5);
    await button(page, "Done").click();
    const line = page.getByRole("list", { name: "API tokens" }).getByRole("listitem").filter({ hasText: "phone" });
    await line.getByText("never used").waitFor();
    await line.getByText("Read", { exact: true }).waitFor();
    expect(await page.content()).not.toContain(token);
    // From this machine nobody needs it; from behind a proxy it is used.
    const headers = { Authorization: `Bearer ${token}`, "X-Forwarded-For": "203.0.113.9" };
    const answer = await fetch(`${service.url}/api`, {
      method: "POST",
      headers: { ...headers, "Content-Type": "application/json" },
      body: '{"command":"ping"}',
    });
    expect(answer.status).toBe(200);
    await page.reload();
    await line.getByText(/used (now|\d)/).waitFor();
    expect(await page.content()).not.toContain(token);

    await button(page, "Revoke phone").click();
    await dialog(page).getByText("The token stops working at once").waitFor();
    await button(page, "Cancel").click();
    expect(await service.ask("list_tokens")).toMatchObject([{ name: "phone", scope: "read" }]);
    await button(page, "Revoke phone").click();
    await dialog(page).getByRole("button", { name: "Revoke", exact: true }).click();
    await page.getByText("No API tokens yet").waitFor();
    expect(await service.ask("list_tokens")).toEqual([]);
    expect(problems).toEqual([]);
  });

  it("show what a version changed, and bring one back", async () => {
    const bundle = await service.ask<{ agent_settings: object | null }>("get_config_bundle");
    await service.ask("save_config_bundle", { ...bundle, agent_settings: { theme: "before" } });
    await service.ask("save_config_bundle", { ...bundle, agent_settings: { theme: "after" } });
    await using opened = await open("versions");
    const { page, problems } = opened;
    const versions = page.getByRole("list", { name: "Versions" }).getByRole("listitem");
    await versions.first().getByText("Current").waitFor();
    await versions
      .first()
      .getByRole("button", { name: /^Changes of/ })
      .click();
    await dialog(page).getByText("agent_settings › theme").waitFor();
    const signs = async () => (await dialog(page).locator("pre").allTextContents()).map((text) => text.trim());
    expect(await signs()).toEqual(['−"before"', '+"after"']);
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.keyboard.press("Escape");

    await versions
      .nth(1)
      .getByRole("button", { name: /^Restore the version/ })
      .click();
    await expect.poll(signs, PATIENT).toEqual(['−"after"', '+"before"']);
    await dialog(page).getByRole("button", { name: "Restore", exact: true }).click();
    await versions.first().getByText("Version restored").waitFor();
    expect(await jsonIn(agentFile("settings.json"))).toEqual({ theme: "before" });
    expect(problems).toEqual([]);
  });

  it("edit the models, show what is wrong where it stands, and keep a backup", async () => {
    await using opened = await open("models");
    const { page, problems } = opened;
    const replaceText = async (text: string) => {
      await editor(page).focus();
      await page.keyboard.press("ControlOrMeta+a");
      await page.keyboard.insertText(text);
    };
    await editor(page).getByText('"small"').waitFor();
    await replaceText('{"providers": {');
    await page.locator(".cm-lint-marker-error").waitFor();
    await button(page, "Save").click();
    await page.getByText("Invalid JSON. Nothing was saved:").waitFor();

    await replaceText('{"providers": {"local.1": {"baseUrl": "http://127.0.0.1", "models": [{"id": 5}]}}}');
    await button(page, "Save").click();
    await page.getByText("providers.local.1.models.0.id").waitFor();
    await expect.poll(() => page.locator(".cm-lintRange-error").allTextContents(), PATIENT).toEqual(["5"]);
    expect(await accessibilityProblems(page)).toEqual([]);
    expect(await jsonIn(agentFile("models.json"))).toEqual(MODELS);

    await replaceText('{"providers": {"local": {"baseUrl": "http://127.0.0.1", "models": [{"id": "large"}]}}}');
    await page.keyboard.press("ControlOrMeta+s");
    await page.getByText(/^Saved\. The previous file is kept as /).waitFor();
    expect(await jsonIn(agentFile("models.json"))).toMatchObject({
      providers: { local: { models: [{ id: "large" }] } },
    });
    expect(await button(page, "Save").isDisabled()).toBe(true);

    await page
      .getByRole("list", { name: "Backups" })
      .getByRole("button", { name: /^Restore the backup/ })
      .click();
    await dialog(page).getByRole("button", { name: "Restore" }).click();
    await editor(page).getByText('"small"').waitFor();
    expect(await jsonIn(agentFile("models.json"))).toEqual(MODELS);
    expect(problems).toEqual([]);
  });

  it("do not take from somebody what they are typing when the file changes", async () => {
    await using opened = await open("models");
    const { page } = opened;
    await editor(page).getByText('"small"').waitFor();
    await editor(page).focus();
    await page.keyboard.press("ControlOrMeta+End");
    await page.keyboard.insertText(" ");
    await service.ask("save_model_config", { providers: { other: {} } });
    await page.getByText("The file has changed since you opened it.").waitFor();
    await editor(page).getByText('"small"').waitFor();
    await button(page, "Discard changes").click();
    await editor(page).getByText('"other"').waitFor();
    await service.ask("save_model_config", MODELS);
    await editor(page).getByText('"small"').waitFor();
  });

  it("export the models to a file and take them from one", async () => {
    await using opened = await open("models");
    const { page, problems } = opened;
    const target = join(folder, "models.json");
    const field = page.getByRole("textbox", { name: "A .json file on the machine that runs the service" });
    await field.fill(target);
    await button(page, "Export").click();
    await page.getByText(`Exported to ${target}`).waitFor();
    expect(await jsonIn(target)).toEqual(MODELS);
    await writeFile(target, '{"providers": {"imported": {}}}');
    await button(page, "Export").click();
    await dialog(page).getByText("Replace the file?").waitFor();
    await button(page, "Cancel").click();
    await button(page, "Import").click();
    await editor(page).getByText('"imported"').waitFor();
    await field.fill(join(folder, "missing.json"));
    await button(page, "Import").click();
    await page.getByText("does not exist").waitFor();
    await service.ask("save_model_config", MODELS);
    await field.fill(target);
    await button(page, "Export").click();
    await button(page, "Replace").click();
    await dialog(page).waitFor({ state: "detached" });
    expect(await jsonIn(target)).toEqual(MODELS);
    expect(problems).toEqual([]);
  });

  it("say which service this is and whose work is in it", async () => {
    await using opened = await open("about");
    const { page, problems } = opened;
    const fact = (name: string) => page.getByRole("listitem").filter({ hasText: name });
    await fact("Version").getByText("1.2.3").waitFor();
    await fact("Connection").getByText("WebSocket").waitFor();
    await fact("Models").getByText(agentFile("models.json")).waitFor();
    await page.getByText(/^react \d/).click();
    await page.locator("details[open]").getByText("Permission is hereby granted").waitFor();
    expect(problems).toEqual([]);
  });
});
