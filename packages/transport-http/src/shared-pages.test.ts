import { Readable } from "node:stream";
import { EXPORT_SCRIPT_HASH } from "@sm/core";
import { describe, expect, it } from "vitest";
import type { AnsweredRequest, HttpOptions } from "./options.ts";
import { type Question, send, serve, testGate } from "./test-client.ts";

const SECRET = "s".repeat(43);
const STRANGER = { "X-Forwarded-For": "203.0.113.7" };
/** What a browser says when somebody follows a link in a page of another site. */
const FOLLOWED = { "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document" };

/** Serves one page, and tells how it was asked for. */
async function serveShares(options: Partial<HttpOptions> = {}) {
  const asked: string[] = [];
  const shares: HttpOptions["shares"] = {
    async look(secret) {
      asked.push(`look ${secret}`);
      return secret === SECRET ? { bytes: 4 } : null;
    },
    async open(secret) {
      asked.push(`open ${secret}`);
      return secret === SECRET ? { bytes: 4, chunks: Readable.from([Buffer.from("page")]) } : null;
    },
  };
  return Object.assign(await serve({ shares, ...options }), { asked });
}

const ask = (server: { url: string }, path = SECRET, question: Question = {}) =>
  send(`${server.url}/share/${path}`, question);

describe("GET /share/:secret", () => {
  it("shows a stranger the page, isolated from the service", async () => {
    await using server = await serveShares();
    const answer = await ask(server, SECRET, { headers: STRANGER });
    expect(answer).toMatchObject({ status: 200, body: "page" });
    expect(answer.headers).toMatchObject({
      "content-type": "text/html; charset=utf-8",
      "content-length": "4",
      "referrer-policy": "no-referrer",
      "x-robots-tag": "noindex, nofollow",
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      "cross-origin-resource-policy": "same-origin",
    });
    expect(answer.headers["set-cookie"]).toBeUndefined();
    const policy = String(answer.headers["content-security-policy"]).split("; ");
    expect(policy).toEqual(
      expect.arrayContaining(["default-src 'none'", `script-src '${EXPORT_SCRIPT_HASH}'`, "frame-ancestors 'none'"]),
    );
    const [, ...allowed] = policy.find((directive) => directive.startsWith("sandbox"))?.split(" ") ?? [];
    expect(allowed).toEqual(["allow-scripts", "allow-popups", "allow-popups-to-escape-sandbox"]);
  });

  it("answers HEAD without opening it", async () => {
    await using server = await serveShares();
    const answer = await ask(server, SECRET, { method: "HEAD" });
    expect(answer).toMatchObject({ status: 200, body: "", headers: { "content-length": "4" } });
    expect((await ask(server, "x", { method: "HEAD" })).status).toBe(404);
    expect(server.asked).toEqual([`look ${SECRET}`, "look x"]);
  });

  it("answers the same for whatever it does not have", async () => {
    await using server = await serveShares();
    const answers = [
      await ask(server, "x", { headers: STRANGER }),
      await ask(server, "r".repeat(43), { headers: STRANGER }),
      await ask(server, `${SECRET}?token=sm_right`.slice(1)),
      await ask(server, "%2e%2e%2fstate.db"),
    ];
    const [first] = answers;
    for (const { status, body, headers } of answers) {
      const { date: _, ...fields } = headers;
      const { date: _first, ...expected } = first?.headers ?? {};
      expect({ status, body, fields }).toEqual({ status: 404, body: first?.body, fields: expected });
    }
    expect(first?.headers).toMatchObject({
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": expect.stringContaining("default-src 'none'"),
      "x-robots-tag": "noindex, nofollow",
    });
  });

  it("is not there where nothing is shared, nor anything below it", async () => {
    await using none = await serve();
    expect((await ask(none)).status).toBe(404);
    expect((await ask(none, SECRET, { headers: STRANGER })).status).toBe(401);
    await using server = await serveShares();
    for (const path of [`${SECRET}/`, `${SECRET}/api`, ""]) {
      expect((await ask(server, path, { headers: STRANGER })).status, path).toBe(401);
    }
    expect(server.asked).toEqual([]);
  });

  it("takes no other method", async () => {
    await using server = await serveShares();
    expect(await ask(server, SECRET, { method: "POST" })).toMatchObject({
      status: 405,
      headers: { allow: "GET, HEAD" },
    });
    expect((await ask(server, SECRET, { method: "POST", headers: STRANGER })).status).toBe(401);
  });

  it.each<[what: string, headers: Record<string, string>, status: number]>([
    ["a link in a page of another site", FOLLOWED, 200],
    ["a link in a mail", { ...FOLLOWED, "Sec-Fetch-Site": "none" }, 200],
    ["a wrong token", { ...STRANGER, Authorization: "Bearer sm_wrong" }, 200],
    ["a frame of another site", { ...FOLLOWED, "Sec-Fetch-Dest": "iframe" }, 403],
    ["a script of another site", { ...FOLLOWED, "Sec-Fetch-Mode": "cors", "Sec-Fetch-Dest": "empty" }, 403],
    ["a foreign origin", { ...FOLLOWED, Origin: "https://example.com" }, 403],
    ["another name", { Host: "rebound.example.com" }, 403],
  ])("%s, with %j → %i", async (_, headers, status) => {
    await using server = await serveShares();
    expect((await ask(server, SECRET, { headers })).status).toBe(status);
  });

  it("keeps its way through a name that is allowed", async () => {
    await using server = await serveShares({ gate: testGate({ allowedHosts: ["sessions.example.org"] }) });
    expect((await ask(server, SECRET, { headers: { ...STRANGER, Host: "sessions.example.org" } })).status).toBe(200);
  });

  it("keeps the link out of log and metrics", async () => {
    const requests: AnsweredRequest[] = [];
    const defect = () => Promise.reject(new Error("The disk is gone."));
    await using server = await serveShares({
      shares: { look: defect, open: defect },
      onRequest: (request) => requests.push(request),
    });
    expect((await ask(server)).status).toBe(500);
    expect(server.logged).toMatchObject([{ route: "/share/:secret" }]);
    expect(JSON.stringify([server.logged, requests])).not.toContain(SECRET);
    expect(requests).toEqual([{ method: "GET", route: "/share/:secret", status: 500 }]);
  });
});
