import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { readdirSync, readlinkSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { type IncomingMessage, request } from "node:http";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { ExportedSession } from "@sm/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { browserProgram, test } from "../browser.ts";
import { PATIENT } from "../patient.ts";
import { codeOf, type Headers, sendRequest } from "../raw-http.ts";
import { type RealService, startRealService } from "../real-service.ts";
import { findSystemProgram } from "../system-program.ts";
import { STRANGER } from "../transports.ts";

const unzip = findSystemProgram("unzip");
const axe = createRequire(import.meta.url).resolve("axe-core/axe.min.js");

interface Issued {
  url: string;
  expires_at: string;
}

let service: RealService;

beforeAll(async () => {
  service = await startRealService();
});

afterAll(() => service[Symbol.asyncDispose]());

function issue(payload: object = {}): Promise<Issued> {
  const paths = [service.home.paths.branched, service.home.paths.plain];
  return service.ask<Issued>("export_sessions", { paths, format: "markdown", ...payload });
}

/** Fetches a URL of the service; the status, and the code where it fails. */
async function fetchCode(url: string, { method = "GET", headers = {} as Headers } = {}) {
  const { status, body } = await sendRequest(service.url + url, { method, headers });
  return [status, status === 200 || method === "HEAD" ? null : codeOf(body)];
}

const OK = [200, null];
const NOT_FOUND = [404, "NOT_FOUND"];

describe("a ticket of export_sessions", () => {
  it("is a URL of this service for a minute", async () => {
    const before = Date.now();
    const { url, expires_at } = await issue();
    expect(url).toMatch(/^\/api\/export\?ticket=[\w-]{43}$/);
    expect(Date.parse(expires_at)).toBeGreaterThanOrEqual(before + 60_000);
    expect(Date.parse(expires_at)).toBeLessThanOrEqual(Date.now() + 60_000);
  });

  it("streams a zip as a download", async () => {
    const { url } = await issue();
    const response = await fetch(service.url + url);
    expect(response.status).toBe(200);
    expect(response.headers.get("Content-Type")).toBe("application/zip");
    expect(response.headers.get("Content-Disposition")).toMatch(
      /^attachment; filename="sessions-\d{4}-\d\d-\d\d\.zip"; /,
    );
    expect(Buffer.from(await response.arrayBuffer()).readUInt32LE(0)).toBe(0x04034b50);
  });

  it("is good once, and HEAD does not use it up", async () => {
    const { url } = await issue();
    expect(await fetchCode(url, { method: "HEAD" })).toEqual(OK);
    expect(await fetchCode(url, { method: "HEAD" })).toEqual(OK);
    expect(await fetchCode(url)).toEqual(OK);
    expect(await fetchCode(url)).toEqual(NOT_FOUND);
    expect(await fetchCode(url, { method: "HEAD" })).toEqual([404, null]);
    const { body } = await sendRequest(service.url + url);
    expect(JSON.parse(body)).toMatchObject({ error: { message: expect.stringContaining("export_sessions") } });
  });

  it("is good for one of two who come at a time", async () => {
    const { url } = await issue();
    const answers = await Promise.all([fetchCode(url), fetchCode(url), fetchCode(url)]);
    expect(answers.sort()).toEqual([OK, NOT_FOUND, NOT_FOUND]);
  });

  it.each(["", "x", "A".repeat(43), "../../etc/passwd", "__proto__", "%00", "x".repeat(5_000)])(
    "is not guessed: %j",
    async (guess) => {
      const { url } = await issue();
      const [status] = await fetchCode(`/api/export?ticket=${guess}`);
      expect([400, 404]).toContain(status);
      expect(await fetchCode(url)).toEqual(OK);
    },
  );

  it.each(["format=json", "path=/etc/passwd", "redact=false", "leaf_id=b5", "ticket=x", "paths=/a.jsonl"])(
    "says all there is to say: not with %s",
    async (more) => {
      const { url } = await issue();
      expect(await fetchCode(`${url}&${more}`)).toEqual([400, "INVALID_PAYLOAD"]);
      expect(await fetchCode(url)).toEqual(OK);
    },
  );

  it("lets no stranger in", async () => {
    const { url } = await issue();
    expect(await fetchCode(url, { headers: STRANGER })).toEqual([401, "UNAUTHORIZED"]);
    expect(await fetchCode(url, { headers: { Origin: "https://example.com" } })).toEqual([403, "FORBIDDEN"]);
    expect(await fetchCode(url, { method: "POST" })).toEqual([405, "INVALID_REQUEST"]);
    const { token } = await service.ask<{ token: string }>("create_token", { name: "reader", scope: "read" });
    expect(await fetchCode(`${url}&token=${token}`, { headers: STRANGER })).toEqual(OK);
  });

  it("is in no log and no metric", async () => {
    const { url } = await issue();
    await fetchCode(url);
    await fetchCode(url);
    const metrics = await (await fetch(`${service.url}/metrics`)).text();
    const ticket = url.split("=")[1] ?? "";
    expect(service.log.join("") + metrics).not.toContain(ticket);
  });
});

describe("export_sessions", () => {
  it("refuses the whole where one path is no session", async () => {
    const { paths, missing, outside, link } = service.home;
    for (const [wrong, code] of [
      [missing, "NOT_FOUND"],
      [outside, "FORBIDDEN"],
      [link, "FORBIDDEN"],
      [`${service.home.sessions}/../../etc/passwd`, "FORBIDDEN"],
    ]) {
      const payload = { paths: [paths.branched, wrong], format: "jsonl" };
      expect(await service.call("export_sessions", payload)).toMatchObject({ success: false, error: { code } });
    }
    const redacted = { paths: [paths.branched], format: "jsonl", redact: true };
    expect(await service.call("export_sessions", redacted)).toMatchObject({
      error: { code: "INVALID_PAYLOAD", details: [{ path: "redact" }] },
    });
  });
});

describe.skipIf(unzip === null)("the zip", () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "session-manager-"));
  });

  afterAll(() => rm(folder, { recursive: true }));

  /** Unpacks an export as people do, after a check of all that is in it. */
  async function unpack(name: string, url: string): Promise<string> {
    const zip = join(folder, `${name}.zip`);
    await writeFile(zip, Buffer.from(await (await fetch(service.url + url)).arrayBuffer()));
    for (const options of [
      ["-t", "-qq"],
      ["-qq", "-d", join(folder, name)],
    ]) {
      const { status, stdout, stderr } = spawnSync(unzip ?? "", [...options, zip], {
        encoding: "utf8",
        env: { LC_ALL: "C.UTF-8" },
      });
      expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: "", stderr: "" });
    }
    return join(folder, name);
  }

  it("gives what single exports give, under names in any script", async () => {
    const message = { role: "user", content: [{ type: "text", text: "潮の時計 👍🏽 Größe?" }] };
    const timestamp = "2026-03-01T10:00:00.000Z";
    const session = await service.home.add("names", [
      { type: "session", version: 3, id: "names", timestamp, cwd: "/home/user/project" },
      { type: "message", id: "n1", parentId: null, timestamp, message },
    ]);
    const paths = [service.home.paths.branched, session, await service.home.copy()];
    const unpacked = await unpack("names", (await issue({ paths, format: "json" })).url);
    const names = ["Names-with-umlauts.json", "潮の時計-👍🏽-Größe.json", "Names-with-umlauts-2.json"];
    expect((await readdir(unpacked)).sort()).toEqual([...names, "index.html"].sort());
    for (const [place, path] of paths.entries()) {
      const { content } = await service.ask<ExportedSession>("export_session", { path, format: "json" });
      expect(await readFile(join(unpacked, names[place] ?? ""), "utf8")).toBe(content);
    }
  });

  test.skipIf(browserProgram === null)(
    "has an index page that leads to them, for everybody, and asks nobody for anything",
    async ({ browser }) => {
      const paths = [service.home.paths.branched, service.home.paths.plain];
      const unpacked = await unpack("page", (await issue({ paths, format: "html", theme: "dark" })).url);
      await using window = await browser.newContext({ offline: true, viewport: { width: 390, height: 800 } });
      const page = await window.newPage();
      const problems: string[] = [];
      page.on("console", (message) => problems.push(message.text()));
      page.on("request", (sent) => sent.url().startsWith("file:") || problems.push(sent.url()));
      await page.goto(pathToFileURL(join(unpacked, "index.html")).href);
      await page.getByRole("link", { name: /Names with umlauts/ }).click();
      expect(await page.getByRole("heading", { level: 1 }).textContent()).toContain("Names with umlauts");
      expect(problems).toEqual([]);

      // The page's own policy would not let the checker in.
      await using open = await browser.newContext({ offline: true, bypassCSP: true });
      const checked = await open.newPage();
      await checked.goto(pathToFileURL(join(unpacked, "index.html")).href);
      await checked.addScriptTag({ path: axe });
      const { violations } = await checked.evaluate<{ violations: object[] }>("axe.run()");
      expect(violations).toEqual([]);
    },
  );
});

describe.runIf(process.platform === "linux")("a client that does not read on", () => {
  it("waits with the session open, which is closed when it leaves", async () => {
    const timestamp = "2026-03-01T10:00:00.000Z";
    const lines: object[] = [{ type: "session", version: 3, id: "long", timestamp, cwd: "/home/user/project" }];
    // Far more than two sockets take, and nothing that a zip makes smaller.
    for (let place = 0; place < 400; place++) {
      const message = { role: "user", content: [{ type: "text", text: randomBytes(75_000).toString("base64") }] };
      lines.push({
        type: "message",
        id: `m${place}`,
        parentId: place === 0 ? null : `m${place - 1}`,
        timestamp,
        message,
      });
    }
    const path = await service.home.add("long", lines);
    const outgoing = request(service.url + (await issue({ paths: [path] })).url, { agent: false });
    outgoing.on("error", () => {});
    outgoing.end();
    const [incoming] = (await once(outgoing, "response")) as [IncomingMessage];
    incoming.on("error", () => {});
    await expect.poll(() => isOpen(path), PATIENT).toBe(true);
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(isOpen(path)).toBe(true);
    outgoing.destroy();
    await expect.poll(() => isOpen(path), PATIENT).toBe(false);
  });
});

/** Whether this process, in which the service runs, has a file open. */
function isOpen(path: string): boolean {
  return readdirSync("/proc/self/fd").some((name) => {
    try {
      return readlinkSync(`/proc/self/fd/${name}`) === path;
    } catch {
      return false;
    }
  });
}
