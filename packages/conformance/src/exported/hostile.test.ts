import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, describe, expect, it } from "vitest";
import { browserProgram, test } from "../browser.ts";
import { hostilePayloads } from "../hostile-payloads.ts";
import { hostileHead, hostileSession } from "../hostile-sessions.ts";
import { PATIENT } from "../patient.ts";
import { type RealService, startRealService } from "../real-service.ts";
import { findSystemProgram } from "../system-program.ts";
import { foreignMarkup } from "./foreign-markup.ts";

const unzip = findSystemProgram("unzip");

/** Each shows another branch, of hundreds. */
const FOLLOWED_LINKS = 8;

/** Pages that are looked at together: some megabytes. */
const BATCH = 50;

/** Tells when a payload runs, and when the page's policy has kept something from it: that must not have been needed. */
const WATCH = `
  globalThis.hasRun = () => console.error("A payload has run.");
  for (const name of ["alert", "confirm", "prompt"]) globalThis[name] = globalThis.hasRun;
  document.addEventListener("securitypolicyviolation", ({ effectiveDirective, blockedURI }) =>
    console.error("violated", effectiveDirective, blockedURI));
`;

interface OpenPage extends AsyncDisposable {
  page: Page;
  problems: string[];
}

describe.skipIf(browserProgram === null || unzip === null)("pages of hostile sessions", () => {
  let service: RealService;
  let browser: Browser;
  let listener: Server;
  let connections = 0;
  let folder: string;
  let payloads: string[];

  test.beforeAll(async ({ browser: ofWorker }) => {
    browser = ofWorker;
    listener = createServer((socket) => {
      connections++;
      socket.destroy();
    }).listen(0, "127.0.0.1");
    await once(listener, "listening");
    payloads = hostilePayloads(`127.0.0.1:${(listener.address() as AddressInfo).port}`);
    [service, folder] = await Promise.all([startRealService(), mkdtemp(join(tmpdir(), "session-manager-hostile-"))]);
    const path = await service.home.add("hostile", hostileSession(payloads));
    await Promise.all([
      download("as-it-is.html", new URLSearchParams({ path, format: "html" })),
      download("redacted.html", new URLSearchParams({ path, format: "html", redact: "true" })),
    ]);
  });

  afterAll(async () => {
    await service?.[Symbol.asyncDispose]();
    listener?.close();
    await rm(folder, { recursive: true });
  });

  async function download(name: string, query: URLSearchParams): Promise<string> {
    const response = await fetch(`${service.url}/api/export?${query}`);
    expect(response.status).toBe(200);
    const file = join(folder, name);
    await writeFile(file, Buffer.from(await response.arrayBuffer()));
    return file;
  }

  /** Opens a file where nobody answers, and notes whatever a page that is left in peace does not do. */
  async function open(file: string, options: BrowserContextOptions = {}): Promise<OpenPage> {
    const address = pathToFileURL(file).href;
    const context = await browser.newContext({ reducedMotion: "reduce", ...options });
    await context.addInitScript(WATCH);
    const problems: string[] = [];
    await context.route("**/*", (route) => {
      if (route.request().url().split("#")[0] === address && route.request().isNavigationRequest())
        return route.continue();
      problems.push(`request: ${route.request().url()}`);
      return route.abort();
    });
    context.on("page", (opened) => problems.push(`window: ${opened.url()}`));
    const page = await context.newPage();
    problems.length = 0;
    page.on("console", (message) => problems.push(`console: ${message.text()}`));
    page.on("pageerror", (error) => problems.push(`error: ${error.message}`));
    page.on("download", (started) => problems.push(`download: ${started.url()}`));
    page.on("framenavigated", (frame) => {
      if (frame.url().split("#")[0] !== address) problems.push(`frame: ${frame.url()}`);
    });
    page.on("dialog", (dialog) => {
      problems.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    await page.goto(address);
    return { page, problems, [Symbol.asyncDispose]: () => context.close() };
  }

  /** Does everything that a reader can do, and leaves the page with all of it in sight. */
  async function useAll(page: Page): Promise<void> {
    for (const key of ["t", "o", "t", "o", "d", "?", "Escape", "c", "b", "j", "j", "k"]) await page.keyboard.press(key);
    await page.keyboard.press("/");
    await page.locator(".find input").fill("hasRun(1)");
    await expect.poll(() => page.locator(".find output").textContent(), PATIENT).toMatch(/^\d+ of /);
    for (const key of ["Enter", "Shift+Enter", "Escape"]) await page.keyboard.press(key);
    await page.evaluate(`{
      for (const link of [...document.querySelectorAll(".contents a")].slice(0, ${FOLLOWED_LINKS})) link.click();
      dispatchEvent(new Event("beforeprint"));
      document.querySelector("[data-action=all-branches]").click();
      for (const details of document.querySelectorAll("details")) details.open = true;
    }`);
    await page.evaluate(`(async () => {
      const { scrollHeight } = document.documentElement;
      for (let step = 0; step <= 10; step++) {
        scrollTo(0, (scrollHeight * step) / 10);
        await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
      }
      for (const element of document.querySelectorAll("main *")) element.dispatchEvent(new MouseEvent("mouseover"));
      for (const button of document.querySelectorAll("button:not([data-action=all-branches])")) button.click();
    })()`);
  }

  it.each([
    { file: "as-it-is.html", bypassCSP: false, how: "with its policy" },
    { file: "as-it-is.html", bypassCSP: true, how: "by its escaping alone" },
    { file: "redacted.html", bypassCSP: true, how: "by its escaping alone" },
  ])(
    "run nothing, ask nobody, and have nothing in them that the exporter does not write: $file, $how",
    async ({ file, bypassCSP }) => {
      await using opened = await open(join(folder, file), { bypassCSP });
      const { page, problems } = opened;
      expect(await page.locator(".packed").count()).toBeGreaterThan(0);
      await useAll(page);
      expect(await page.locator(".packed").count()).toBe(0);
      expect(await page.evaluate(foreignMarkup())).toEqual([]);
      expect(problems).toEqual([]);
      expect(connections).toBe(0);
    },
    180_000,
  );

  it("hold nothing else for a browser without scripts, and all that was said", async () => {
    await using opened = await open(join(folder, "as-it-is.html"), { javaScriptEnabled: false, bypassCSP: true });
    const { page, problems } = opened;
    expect(await page.evaluate(foreignMarkup())).toEqual([]);
    const [first = ""] = payloads;
    const fields = (await page.locator("main").textContent())?.split(first).length ?? 0;
    expect(fields).toBeGreaterThan(payloads.length);
    expect(problems).toEqual([]);
    expect(connections).toBe(0);
  }, 180_000);

  it("say names, places and models as they are, in an archive and its index too", async () => {
    const paths: string[] = [];
    // Titles are cut: in this way each is in one, and whole.
    for (const [at, payload] of payloads.entries())
      paths.push(await service.home.add(`head-${at}`, hostileHead(payload)));
    const { url } = await service.ask<{ url: string }>("export_sessions", { paths, format: "html" });
    const zip = await download("sessions.zip", new URL(url, service.url).searchParams);
    const unpacked = join(folder, "sessions");
    expect(spawnSync(unzip ?? "", ["-qq", "-d", unpacked, zip], { env: { LC_ALL: "C.UTF-8" } }).status).toBe(0);
    const names = (await readdir(unpacked)).sort();
    expect(names).toHaveLength(payloads.length + 1);

    for (const bypassCSP of [true, false]) {
      await using index = await open(join(unpacked, "index.html"), { bypassCSP });
      expect(await index.page.locator(".sessions > li").count()).toBe(payloads.length);
      expect(await index.page.evaluate(foreignMarkup())).toEqual([]);
      expect(index.problems).toEqual([]);
    }
    // What each page says above its entries is looked at without opening four hundred of them.
    await using opened = await open(join(unpacked, "index.html"), { bypassCSP: true });
    for (let start = 0; start < names.length; start += BATCH) {
      const pages = await Promise.all(
        names.slice(start, start + BATCH).map((name) => readFile(join(unpacked, name), "utf8")),
      );
      const found = await opened.page.evaluate(`${JSON.stringify(pages)}.map((html) => {
        const document = new DOMParser().parseFromString(html, "text/html");
        return ${foreignMarkup()};
      })`);
      expect(found).toEqual(pages.map(() => []));
    }
    expect(connections).toBe(0);
  }, 180_000);
});
