import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { TestProvider } from "@sm/hub/provider.fixture";
import { needsPostgres } from "@sm/store-postgres/postgres-server.fixture";
import type { Browser, Page } from "playwright-core";
import { afterAll, describe, expect, it } from "vitest";
import { browserProgram, test } from "../browser.ts";
import { PATIENT } from "../patient.ts";
import { buildPage } from "./built-page.ts";
import { type HubService, startHubService } from "./hub-service.ts";
import { said } from "./transcript-sessions.ts";
import { accessibilityProblems, newVisitor, openWebPage, PHONE } from "./web-browser.ts";

const header = (id: string, cwd: string) => ({
  ...{ type: "session", version: 3, id, cwd },
  timestamp: "2026-03-01T10:00:00.000Z",
});

const rows = (page: Page) => page.getByRole("grid").getByRole("row");
/** Waits until a key reaches the choices that were opened: they are seen a moment before. */
const choiceFocused = (page: Page, role: string) =>
  expect.poll(() => page.evaluate("document.activeElement.getAttribute('role')"), PATIENT).toBe(role);
const dialog = (page: Page) => page.getByRole("dialog", { name: "Share project" });

describe.skipIf(browserProgram === null || !needsPostgres())("the page of a hub", () => {
  let browser: Browser;
  let hub: HubService;
  let ada: string;
  let grace: string;

  test.beforeAll(async ({ browser: ofWorker }) => {
    browser = ofWorker;
    hub = await startHubService(await buildPage());
    ada = await hub.addUser("ada", "member");
    grace = await hub.addUser("grace", "member");
    const tides = [header("tides", "/code/tides"), said("t1", null, "When is high water?")];
    await hub.send({ token: ada, machine: "laptop", name: "tides", lines: tides });
    const clocks = [header("clocks", "/code/clocks"), said("c1", null, "Why is the clock late?")];
    await hub.send({ token: ada, machine: "laptop", name: "clocks", lines: clocks });
  });

  afterAll(() => hub?.[Symbol.asyncDispose]());

  const open = (token: string, address = "/", options = {}) =>
    openWebPage(browser, `${hub.url}${address}${address.includes("?") ? "&" : "?"}token=${token}`, options);

  /** Opens the dialog of a project by its menu in the navigation, and waits for the people in it. */
  async function askToShare(page: Page, project: string): Promise<void> {
    await page.getByRole("button", { name: `Actions for ${project}` }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("menuitem", { name: "Share project…" }).click();
    await dialog(page).getByRole("checkbox", { name: "grace" }).waitFor();
  }

  it("shares a project with a person, who finds and reads it until that ends", async () => {
    await using ofAda = await open(ada);
    await using other = await newVisitor(browser, hub.url, { viewport: { width: 1280, height: 801 } });
    const { page: reader } = other;
    await reader.goto(`${hub.url}/?token=${grace}`);
    await reader.getByText("or when somebody shares a project with you").waitFor();
    expect(await accessibilityProblems(reader)).toEqual([]);

    await askToShare(ofAda.page, "tides");
    expect(await accessibilityProblems(ofAda.page, "[role=dialog]")).toEqual([]);
    await dialog(ofAda.page).getByRole("checkbox", { name: "grace" }).click();
    await dialog(ofAda.page).getByRole("button", { name: "Save" }).click();
    await ofAda.page.getByText("Shared with 1 person.").waitFor();

    // Without a reload: the hub tells of it.
    await expect.poll(() => rows(reader).filter({ hasText: "When is high water?" }).count(), PATIENT).toBe(1);
    expect(await rows(reader).filter({ hasText: "Why is the clock late?" }).count()).toBe(0);
    expect(await rows(reader).filter({ hasText: "ada" }).count()).toBe(1);
    await reader.goto(`${hub.url}/search?q=water`);
    await reader.getByRole("main").getByRole("link", { name: "When is high water?" }).first().click();
    await reader.getByRole("article").first().waitFor();
    await reader.getByRole("button", { name: "More actions for this session" }).click();
    expect(await reader.getByRole("menuitem", { name: "Rename" }).count()).toBe(0);
    await reader.keyboard.press("Escape");

    await ofAda.page.goto(`${hub.url}/settings/reads`);
    await ofAda.page.getByRole("list", { name: "Read log" }).getByText("grace").first().waitFor();

    await reader.getByRole("link", { name: "Sessions", exact: false }).first().click();
    await expect.poll(() => rows(reader).filter({ hasText: "When is high water?" }).count(), PATIENT).toBe(1);
    await ofAda.page.goto(`${hub.url}/settings/sharing`);
    await ofAda.page.getByRole("button", { name: "Stop sharing /code/tides" }).click();
    await ofAda.page.getByRole("dialog").getByRole("button", { name: "Stop sharing" }).click();
    await ofAda.page.getByText("No longer shared.").waitFor();
    await expect.poll(() => rows(reader).filter({ hasText: "When is high water?" }).count(), PATIENT).toBe(0);
    expect(ofAda.problems).toEqual([]);
  });

  describe("narrowed to the sessions of one who shares some, with the keyboard alone", () => {
    // Not in the tests: one that is run again would add the user again.
    test.beforeAll(async () => {
      const joan = await hub.addUser("joan", "member");
      const tea = [header("tea", "/code/tea"), said("k1", null, "The kettle of joan")];
      await hub.send({ token: joan, machine: "tower", name: "tea", lines: tea });
      const own = [header("pot", "/code/pot"), said("p1", null, "The kettle of grace")];
      await hub.send({ token: grace, machine: "desk", name: "pot", lines: own });
      await hub.call(joan, "share_project", { project: "/code/tea", everybody: true });
    });

    it("searches", async () => {
      await using opened = await open(grace, "/search?q=kettle");
      const { page, problems } = opened;
      const main = page.getByRole("main");
      const found = (whose: string) => main.getByRole("link", { name: `The kettle of ${whose}` }).count();
      await expect
        .poll(async () => [(await found("grace")) > 0, (await found("joan")) > 0], PATIENT)
        .toEqual([true, true]);

      await page.getByRole("button", { name: "Owner" }).focus();
      await page.keyboard.press("Enter");
      await page.getByRole("menuitemradio", { name: "joan" }).waitFor();
      await choiceFocused(page, "menuitemradio");
      expect(await accessibilityProblems(page, "[role=menu]")).toEqual([]);
      await page.keyboard.press("j");
      await page.keyboard.press("Enter");
      await page.getByRole("button", { name: "Remove filter joan" }).waitFor();
      expect(page.url()).toContain("/search?q=kettle&owner=joan");
      await expect
        .poll(async () => [(await found("grace")) > 0, (await found("joan")) > 0], PATIENT)
        .toEqual([false, true]);
      expect(await accessibilityProblems(page)).toEqual([]);
      expect(problems).toEqual([]);
    });

    it("shows the statistics", async () => {
      await using opened = await open(grace, "/statistics?period=all");
      const { page, problems } = opened;
      const projects = page.getByRole("main").getByRole("region", { name: "Projects" });
      await projects.getByRole("link", { name: "pot" }).waitFor();
      await page.getByRole("combobox", { name: "Owner" }).focus();
      await page.keyboard.press("Enter");
      await page.getByRole("option", { name: "joan" }).waitFor();
      await choiceFocused(page, "option");
      await page.keyboard.press("j");
      await page.keyboard.press("Enter");
      await expect.poll(() => page.url(), PATIENT).toContain("period=all&owner=joan");
      await expect.poll(() => projects.getByRole("link", { name: "pot" }).count(), PATIENT).toBe(0);
      await projects.getByRole("link", { name: "tea" }).waitFor();
      expect(await accessibilityProblems(page)).toEqual([]);
      expect(problems).toEqual([]);
    });
  });

  it.each([
    ["wide", {}],
    ["as a phone", PHONE],
  ])("shows what works on a hub, %s, to everybody", async (_case, options) => {
    await using opened = await open(ada, "/", options);
    const { page, problems } = opened;
    await rows(page).first().waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    for (const section of ["machines", "sharing", "reads", "api-keys", "about"]) {
      await page.goto(`${hub.url}/settings/${section}`);
      await page.getByRole("navigation", { name: "Settings" }).getByRole("link", { name: "Read log" }).waitFor();
      await expect.poll(() => page.locator("[role=status] .animate-\\[breathe_1\\.6s_infinite\\]").count()).toBe(0);
      expect(await accessibilityProblems(page), section).toEqual([]);
    }
    expect(problems).toEqual([]);
  });

  it("signs out, and asks for a token then", async () => {
    await using opened = await open(grace);
    const { page } = opened;
    await page.getByRole("button", { name: "Account of grace" }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.getByRole("dialog", { name: "API token required" }).waitFor();
    await page.getByText("Whoever runs it creates one for you").waitFor();
    expect(await rows(page).count()).toBe(0);
    expect(await accessibilityProblems(page)).toEqual([]);
  });
});

describe.skipIf(browserProgram === null || !needsPostgres())("the page of a hub with a provider", () => {
  test("signs in with it, and out there too", async ({ browser }) => {
    const folder = mkdtempSync(join(tmpdir(), "web-provider-"));
    const port = await freePort();
    const address = `http://localhost:${port}`;
    const provider = await TestProvider.start({ id: "hub", secret: "secret", address });
    provider.person = "s-1";
    provider.accounts.set("s-1", { preferred_username: "ada", email: "ada@example.com", email_verified: true });
    writeFileSync(join(folder, "secret"), "secret\n");
    const client = { issuer: provider.issuer, client_id: "hub", client_secret_file: join(folder, "secret") };
    const oidc = { ...client, name: "Acme", public_url: address, allowed_domains: ["example.com"] };
    await using service = await startHubService(await buildPage(), { http_port: port, oidc });
    await using visitor = await newVisitor(browser, service.url, {});
    const { page } = visitor;
    try {
      await page.goto(`${address}/search?q=tide`);
      await page.getByRole("link", { name: "Sign in with Acme" }).click();
      // Back where it began, with nothing of the way in the address.
      await page.getByRole("button", { name: "Account of ada" }).waitFor();
      expect(page.url()).toBe(`${address}/search?q=tide`);
      expect(await accessibilityProblems(page)).toEqual([]);

      await page.getByRole("button", { name: "Account of ada" }).click();
      await page.getByRole("menuitem", { name: "Sign out" }).click();
      await page.getByRole("button", { name: "Yes, sign me out" }).click();
      await page.getByRole("heading", { name: "Signed out" }).waitFor();
      await page.getByRole("link", { name: "Go to the sessions" }).click();
      await page.getByRole("link", { name: "Sign in with Acme" }).waitFor();
    } finally {
      await provider.close();
      rmSync(folder, { recursive: true });
    }
  });
});

/** The provider has to know the address before the hub is there. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
