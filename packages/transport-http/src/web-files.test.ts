import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { send, serve } from "./test-client.ts";
import { openWebFiles } from "./web-files.ts";

const HTML = { Accept: "text/html,application/xhtml+xml,*/*;q=0.8" };
const FAR_AWAY = { "X-Forwarded-For": "203.0.113.7" };

describe("the built page", () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "session-manager-web-"));
    await mkdir(join(folder, "web", "assets"), { recursive: true });
    const files = {
      "secret.txt": "hidden",
      "web/index.html": "<!doctype html>page",
      "web/index.html.br": "page in brotli",
      "web/index.html.gz": "page in gzip",
      "web/icon.svg": "<svg/>",
      "web/assets/app-1a2b.js": "script",
      "web/assets/app-1a2b.js.gz": "script in gzip",
    };
    for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content);
    await symlink(join(folder, "secret.txt"), join(folder, "web", "link.txt"));
  });

  afterAll(() => rm(folder, { recursive: true }));

  async function serveWeb() {
    const web = await openWebFiles(join(folder, "web"));
    if (web === null) throw new Error("There is no page.");
    return serve({ web, onUpgrade: () => {}, metrics: { contentType: "text/plain", text: async () => "metrics" } });
  }

  it.each([
    ["/", {}],
    ["/", HTML],
    ["/session?path=%2Fa.jsonl&entry=1", HTML],
    ["/settings/api-keys", HTML],
    ["/__proto__", HTML],
  ])("answers %s to %j with the page, under its policy", async (path, headers) => {
    await using server = await serveWeb();
    const answer = await send(server.url + path, { headers });
    expect(answer).toMatchObject({ status: 200, body: "<!doctype html>page" });
    expect(answer.headers).toMatchObject({
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-cache",
      "x-content-type-options": "nosniff",
      "cross-origin-resource-policy": "same-origin",
      "cross-origin-opener-policy": "same-origin",
      "x-session-manager-version": "1.2.3",
      vary: "Accept-Encoding",
    });
    const policy = answer.headers["content-security-policy"];
    expect(policy).toMatch(
      /^default-src 'none'; script-src 'self' 'sha256-[\w+/]{43}='; style-src 'self' 'unsafe-inline';/,
    );
    expect(policy).toContain("frame-ancestors 'self'");
  });

  it.each([
    ["/assets/app-1a2b.js", "text/javascript; charset=utf-8", "public, max-age=31536000, immutable", "script"],
    ["/icon.svg", "image/svg+xml", "no-cache", "<svg/>"],
  ])("answers %s", async (path, type, caching, body) => {
    await using server = await serveWeb();
    const answer = await send(server.url + path);
    expect(answer).toMatchObject({ status: 200, body, headers: { "content-type": type, "cache-control": caching } });
    const head = await send(server.url + path, { method: "HEAD" });
    expect(head).toMatchObject({ status: 200, body: "", headers: { etag: answer.headers.etag } });
  });

  it.each([
    ["gzip, deflate, br", "br", "page in brotli"],
    ["GZIP", "gzip", "page in gzip"],
    ["br;q=0, gzip;q=0.5", "gzip", "page in gzip"],
    ["br;q=0.0, gzip;q=0", undefined, "<!doctype html>page"],
    ["broken", undefined, "<!doctype html>page"],
    [undefined, undefined, "<!doctype html>page"],
  ])("to Accept-Encoding: %s it is encoded as %s", async (accepted, coding, body) => {
    await using server = await serveWeb();
    const answer = await send(server.url, { headers: accepted === undefined ? {} : { "Accept-Encoding": accepted } });
    expect(answer.body).toBe(body);
    expect(answer.headers["content-encoding"]).toBe(coding);
  });

  it("is sent once to a browser that has it", async () => {
    await using server = await serveWeb();
    const { etag = "" } = (await send(server.url)).headers;
    for (const header of [etag, `"other", W/${etag}`]) {
      const answer = await send(server.url, { headers: { "If-None-Match": header } });
      expect(answer).toMatchObject({ status: 304, body: "", headers: { etag } });
    }
    const encoded = await send(server.url, { headers: { "If-None-Match": etag, "Accept-Encoding": "br" } });
    expect(encoded.status).toBe(200);
  });

  it.each([
    "/../secret.txt",
    "/%2e%2e/secret.txt",
    "/..%2fsecret.txt",
    "/assets/../../secret.txt",
    "/assets/..%5c..%5csecret.txt",
    "//secret.txt",
    "/link.txt",
    "/assets/missing-3c4d.js",
    "/index.html",
    "/index.html.br",
    "/assets",
    "/assets/",
    "/icon.svg%00.html",
  ])("gives nothing for %s", async (path) => {
    await using server = await serveWeb();
    const answer = await send(server.url + path, { headers: path.includes(".") ? HTML : {} });
    expect(answer.status).toBe(404);
    expect(answer.body).not.toContain("hidden");
    expect(answer.headers["content-type"]).toBe("application/json");
  });

  it("is public, and nothing else is with it", async () => {
    await using server = await serveWeb();
    const status = async (path: string, headers: object) =>
      (await send(server.url + path, { headers: { ...headers, ...FAR_AWAY } })).status;
    expect(await status("/", {})).toBe(200);
    expect(await status("/session", HTML)).toBe(200);
    expect(await status("/assets/app-1a2b.js", {})).toBe(200);
    for (const path of ["/api", "/api/export", "/api/unknown", "/metrics", "/ws"]) {
      expect(await status(path, HTML), path).toBe(401);
    }
    expect(await status("/session", { ...HTML, Host: "evil.example" })).toBe(403);
    expect((await send(`${server.url}/session`, { method: "POST", headers: HTML })).status).toBe(404);
  });

  it("leaves the service's own routes to these", async () => {
    await using server = await serveWeb();
    expect((await send(`${server.url}/metrics`, { headers: HTML })).body).toBe("metrics");
    expect((await send(`${server.url}/health`, { headers: HTML })).body).toContain('"status":"ok"');
    expect((await send(`${server.url}/api`, { headers: HTML })).status).toBe(405);
    expect((await send(`${server.url}/`, { method: "POST" })).status).toBe(405);
  });

  it("says so where a build has taken a file away", async () => {
    await mkdir(join(folder, "rebuilt"));
    await writeFile(join(folder, "rebuilt", "index.html"), "page");
    const web = await openWebFiles(join(folder, "rebuilt"));
    await rm(join(folder, "rebuilt", "index.html"));
    await using server = await serve(web === null ? {} : { web });
    expect(await send(server.url)).toMatchObject({ status: 404, body: expect.stringContaining("Reload the page") });
  });

  it.each(["web/assets", "missing"])("is not there in %s", async (name) => {
    expect(await openWebFiles(join(folder, name))).toBeNull();
  });
});
