import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { browserProgram, launchBrowser } from "../browser.ts";
import { type RealService, startRealService } from "../real-service.ts";

describe.skipIf(browserProgram === null)("in Chromium", () => {
  let service: RealService;
  let browser: Browser;
  let client: string;

  beforeAll(async () => {
    [service, browser, client] = await Promise.all([startRealService(), launch(), bundleClient()]);
  });

  afterAll(async () => {
    await browser.close();
    await service[Symbol.asyncDispose]();
  });

  function launch(): Promise<Browser> {
    return launchBrowser(
      // The name of an attacker points to this machine.
      "--host-resolver-rules=MAP rebound.example 127.0.0.1",
      // New browsers keep pages away from the local network; the service must not rely on that.
      "--disable-features=LocalNetworkAccessChecks",
    );
  }

  /** Opens a page that a browser takes for one of `origin`, whatever is there. */
  async function openPage(origin: string): Promise<Page> {
    const page = await browser.newPage();
    await page.route(`${origin}/page`, (route) =>
      route.fulfill({ contentType: "text/html", body: `<!doctype html><script type="module">${client}</script>` }),
    );
    await page.goto(`${origin}/page`);
    return page;
  }

  it.each(["http", "websocket"])("the typed client calls and follows the service over %s", async (transport) => {
    const page = await openPage(service.url);
    const options = JSON.stringify({ url: service.url, transport });
    await page.evaluate(`
      globalThis.client = createClient(${options});
      globalThis.events = [];
      client.events({ onEvent: (event) => events.push(event) });
    `);
    expect(await page.evaluate("client.call('ping')")).toEqual({ pong: true });
    const failed =
      "client.call('search', { query: '(' }).catch(({ name, code, details }) => ({ name, code, details }))";
    expect(await page.evaluate(failed)).toMatchObject({ name: "CommandError", code: "INVALID_PAYLOAD" });
    await page.waitForFunction("events.some(({ event }) => event === 'hello')");
    const path = await service.home.copy();
    await page.waitForFunction(`events.some(({ event, payload }) =>
      event === "sessions-diff" && payload.added.some((record) => record.path === ${JSON.stringify(path)}))`);
    await page.close();
  });

  it("a page of an allowed origin calls and follows the service, and others of its site do not", async () => {
    await using other = await startRealService({ config: { allowed_origins: ["http://localhost:5173"] } });
    const url = other.url.replace("127.0.0.1", "localhost");
    const attempts = `Promise.all([
      createClient({ url: "${url}", token: "sm_sent_but_not_needed" }).call("ping").then(({ pong }) => pong, () => "refused"),
      fetch("${url}/nothing").then(({ headers }) => headers.get("X-Session-Manager-Version"), () => "refused"),
      ${follows(`${url}/api/events`)},
      ${connects(`${url.replace("http", "ws")}/ws`)},
    ])`;
    const allowed = await openPage("http://localhost:5173");
    expect(await allowed.evaluate(attempts)).toEqual([true, "1.2.3", "open", "open"]);
    const stranger = await openPage("http://localhost:5174");
    expect(await stranger.evaluate(attempts)).toEqual(["refused", "refused", "refused", "refused"]);
    await Promise.all([allowed.close(), stranger.close()]);
  });

  it("a name of an attacker that points to this machine gets nothing: DNS rebinding", async () => {
    const { port } = new URL(service.url);
    const page = await openPage(`http://rebound.example:${port}`);
    const attempts = await page.evaluate(`Promise.all([
      fetch("/health").then(({ status }) => status),
      fetch("/api", {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ command: "list_sessions" }),
      }).then(({ status }) => status),
      ${connects(`ws://rebound.example:${port}/ws`)},
      ${follows(`http://rebound.example:${port}/api/events`)},
    ])`);
    expect(attempts).toEqual([403, 403, "refused", "refused"]);
    await page.close();
  });

  it("a page of another site can neither read nor change anything", async () => {
    const path = await service.home.copy();
    await service.settled();
    const page = await openPage("http://other.example");
    const deletion = JSON.stringify({ command: "delete_session", payload: { path } });
    const attempts = await page.evaluate(`Promise.all([
      ${connects(`${service.url.replace("http", "ws")}/ws`)},
      ${follows(`${service.url}/api/events`)},
      ...["text/plain", "application/json"].map((type) =>
        fetch("${service.url}/api", { method: "POST", headers: { "Content-Type": type }, body: ${JSON.stringify(deletion)} })
          .then(() => "read", () => "refused")),
      fetch("${service.url}/api", { method: "POST", mode: "no-cors", body: ${JSON.stringify(deletion)} })
        .then(() => "sent", () => "refused"),
    ])`);
    expect((attempts as string[]).slice(0, 4)).toEqual(["refused", "refused", "refused", "refused"]);
    expect(await service.call("read_session_file", { path })).toMatchObject({ success: true });
    await page.close();
  });
});

const connects = (url: string) => `new Promise((resolve) => {
  const socket = new WebSocket("${url}");
  socket.onopen = () => resolve("open");
  socket.onerror = () => resolve("refused");
})`;

const follows = (url: string) => `new Promise((resolve) => {
  const source = new EventSource("${url}");
  source.onopen = () => resolve("open");
  source.onerror = () => resolve("refused");
})`;

async function bundleClient(): Promise<string> {
  const result = await build({
    stdin: {
      contents: 'import { createClient } from "@sm/router/client"; globalThis.createClient = createClient;',
      resolveDir: fileURLToPath(new URL(".", import.meta.url)),
    },
    bundle: true,
    write: false,
    format: "esm",
    platform: "browser",
    conditions: ["@sm/source"],
  });
  return result.outputFiles[0]?.text ?? "";
}
