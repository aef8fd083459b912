import { spawnSync } from "node:child_process";
import { createHmac } from "node:crypto";
import { once } from "node:events";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir, uptime } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findRunningServer } from "./running-server.ts";

let dataDir: string;
let server: Server;
let url: string;
let answer: RequestListener;
let asked: string[];

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "session-cli-"));
  asked = [];
  answer = (request, response) => response.end(proven(request, "ok"));
  server = createServer((request, response) => {
    asked.push(request.url ?? "");
    answer(request, response);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterEach(async () => {
  server.close();
  server.closeAllConnections();
  await rm(dataDir, { recursive: true });
});

const SECRET = "known to the owner";

const nonceOf = ({ url: path = "" }: IncomingMessage) => new URL(path, url).searchParams.get("nonce") ?? "";

/** What the server answers that has written the file. */
function proven(request: IncomingMessage, status: string, secret = SECRET): string {
  const proof = createHmac("sha256", secret).update(nonceOf(request)).digest("hex");
  return JSON.stringify({ status, api_version: 1, proof });
}

async function writeServerFile(changes: object = {}, mode = 0o600): Promise<void> {
  const started_at = new Date().toISOString();
  const file = { url, pid: process.pid, version: "0.1.0", started_at, secret: SECRET, token: null, ...changes };
  await writeFile(join(dataDir, "server.json"), JSON.stringify(file));
  await chmod(join(dataDir, "server.json"), mode);
}

describe("findRunningServer", () => {
  it("finds the server that the file names", async () => {
    await writeServerFile();
    expect(await findRunningServer(dataDir)).toEqual({ url, token: null });
    expect(asked).toEqual([expect.stringMatching(/^\/health\?nonce=[0-9a-f]{32}$/)]);
  });

  it("asks for another proof each time, and gives the token of the start", async () => {
    await writeServerFile({ token: "sm_start" });
    for (let time = 0; time < 2; time += 1) {
      expect(await findRunningServer(dataDir)).toEqual({ url, token: "sm_start" });
    }
    expect(new Set(asked).size).toBe(2);
  });

  it("finds one that is still starting", async () => {
    answer = (request, response) => response.writeHead(503).end(proven(request, "starting"));
    await writeServerFile();
    expect(await findRunningServer(dataDir)).toEqual({ url, token: null });
  });

  it("finds none without a file", async () => {
    expect(await findRunningServer(dataDir)).toBeNull();
  });

  const ended = spawnSync(process.execPath, ["-e", ""]).pid;
  it.each([
    ["its process has ended", { pid: ended }],

    ["it names no process", { pid: 0 }],
    ["it names a group of processes", { pid: -process.pid }],
    ["the machine was started after it", { started_at: new Date(Date.now() - (uptime() + 120) * 1000).toISOString() }],
    ["its address is none", { url: "file:///etc/passwd" }],
    ["a field is missing", { started_at: undefined }],
    ["there is no secret", { secret: undefined }],
    ["the secret is none", { secret: "" }],
  ])("asks nobody where %s", async (_reason, changes) => {
    await writeServerFile(changes);
    expect(await findRunningServer(dataDir)).toBeNull();
    expect(asked).toEqual([]);
  });

  it.each([0o620, 0o602, 0o666, 0o640, 0o604])(
    "does not believe a file that others can read or write (mode %i)",
    async (mode) => {
      await writeServerFile({}, mode);
      expect(await findRunningServer(dataDir)).toBeNull();
      expect(asked).toEqual([]);
    },
  );

  it("does not believe a file that is none", async () => {
    await writeFile(join(dataDir, "server.json"), "{", { mode: 0o600 });
    expect(await findRunningServer(dataDir)).toBeNull();
  });

  it.each<[string, RequestListener]>([
    ["something else", (_request, response) => response.end("<html>")],
    ["other JSON", (_request, response) => response.end('{"status": "ok"}')],
    ["health alone", (_request, response) => response.end('{"status": "ok", "api_version": 1}')],
    ["the proof of another start", (request, response) => response.end(proven(request, "ok", "another"))],
    ["half a proof", (request, response) => response.end(proven(request, "ok").replace(/.{20}"}$/, '"}'))],
    ["the nonce", (request, response) => response.end(JSON.stringify({ proof: nonceOf(request) }))],
    ["no text as proof", (_request, response) => response.end('{"proof": null}')],
    ["a redirection", (_request, response) => response.writeHead(302, { Location: `${url}/health` }).end()],
    ["nothing in time", () => undefined],
    ["half an answer", (_request, response) => void response.write('{"api_version"')],
  ])("does not believe a server that answers %s", async (_what, answers) => {
    answer = answers;
    await writeServerFile();
    expect(await findRunningServer(dataDir)).toBeNull();
    expect(asked).toHaveLength(1);
  });

  it("does not believe a server that does not answer at all", async () => {
    await writeServerFile();
    server.close();
    expect(await findRunningServer(dataDir)).toBeNull();
  });
});
