import { createHash } from "node:crypto";
import { AppError } from "@sm/core";
import { describe, expect, it } from "vitest";
import type { HttpOptions } from "./options.ts";
import type { SignIn } from "./sign-in-provider.ts";
import { type Question, send, serve } from "./test-client.ts";

const STRANGER = { "X-Forwarded-For": "203.0.113.7" };
/** What a browser says when the provider sends it here. */
const SENT = { "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document" };
const JSON_BODY = { method: "POST", body: "{}", headers: { "Content-Type": "application/json", ...STRANGER } };

async function serveSignIn(own: Partial<SignIn> = {}, options: Partial<HttpOptions> = {}) {
  const asked: unknown[] = [];
  const signIn: SignIn = {
    provider: "Acme",
    removeCookie: "c=; Max-Age=0",
    async begin(request) {
      asked.push(request);
      return { location: "https://id.example.com/authorize?state=s", setCookie: "c=1; HttpOnly" };
    },
    async finish(request) {
      asked.push(request);
      return { token: "sm_new</script>", returnTo: "/session?path=%2Fa" };
    },
    async end(tokenId) {
      asked.push(tokenId);
      return { revoked: true, url: null };
    },
    ...own,
  };
  return Object.assign(await serve({ signIn, ...options }), { asked });
}

const ask = (server: { url: string }, path: string, question: Question = {}) => send(server.url + path, question);

describe("signing in", () => {
  it("is told to the page, where it is possible", async () => {
    await using server = await serveSignIn();
    const health = JSON.parse((await ask(server, "/health", { headers: STRANGER })).body);
    expect(health.sign_in).toEqual({ url: "/auth/sign-in", provider: "Acme" });
    await using none = await serve();
    expect(JSON.parse((await ask(none, "/health")).body)).not.toHaveProperty("sign_in");
    for (const path of ["/auth/sign-in", "/auth/callback", "/auth/signed-out"]) {
      expect((await ask(none, path, { headers: STRANGER })).status, path).toBe(401);
    }
  });

  it("begins with a redirect that says nothing of where it comes from", async () => {
    await using server = await serveSignIn();
    const answer = await ask(server, "/auth/sign-in?return_to=%2Flive", { headers: { ...STRANGER, ...SENT } });
    expect(answer).toMatchObject({
      status: 302,
      headers: {
        location: "https://id.example.com/authorize?state=s",
        "set-cookie": ["c=1; HttpOnly"],
        "referrer-policy": "no-referrer",
        "cache-control": "no-store",
      },
    });
    expect(server.asked).toEqual([{ host: `127.0.0.1:${server.port}`, returnTo: "/live" }]);
  });

  it("ends with a page that stores the token and is in no address", async () => {
    await using server = await serveSignIn();
    const headers = { ...STRANGER, ...SENT, Cookie: "c=1" };
    const answer = await ask(server, "/auth/callback?code=x&state=s", { headers });
    expect(server.asked).toEqual([{ query: "?code=x&state=s", cookie: "c=1" }]);
    expect(answer).toMatchObject({
      status: 200,
      headers: { "set-cookie": ["c=; Max-Age=0"], "cache-control": "no-store", "referrer-policy": "no-referrer" },
    });
    expect(answer.headers.location).toBeUndefined();
    const [, data = "", script = ""] =
      /<script type[^>]+>(.*)<\/script>\n<script>([\s\S]*)<\/script>/.exec(answer.body) ?? [];
    expect(JSON.parse(data)).toEqual({ token: "sm_new</script>", return_to: "/session?path=%2Fa" });
    expect(data).not.toContain("<");
    const hash = createHash("sha256").update(script).digest("base64");
    const policy = String(answer.headers["content-security-policy"]).split("; ");
    expect(policy).toEqual(
      expect.arrayContaining(["default-src 'none'", `script-src 'sha256-${hash}'`, "frame-ancestors 'none'"]),
    );
  });

  it.each([
    ["INVALID_REQUEST", 400],
    ["FORBIDDEN", 403],
    ["UNAVAILABLE", 503],
  ] as const)("that fails with %s is a page with status %i", async (code, status) => {
    const fails = () => Promise.reject(new AppError(code, "Not <b>you</b>."));
    await using server = await serveSignIn({ begin: fails, finish: fails });
    for (const path of ["/auth/sign-in", "/auth/callback?code=x"]) {
      const answer = await ask(server, path, { headers: STRANGER });
      expect(answer).toMatchObject({ status, headers: { "content-type": "text/html; charset=utf-8" } });
      expect(answer.body).toContain("Not &#60;b&#62;you&#60;/b&#62;.");
      expect(answer.body).toContain('href="/auth/sign-in"');
    }
    const answer = await ask(server, "/auth/callback?code=x", { headers: STRANGER });
    expect(answer.headers["set-cookie"]).toEqual(["c=; Max-Age=0"]);
  });

  it("keeps what comes from the provider out of the log", async () => {
    const defect = () => Promise.reject(new Error("The disk is gone."));
    await using server = await serveSignIn({ finish: defect });
    expect((await ask(server, "/auth/callback?code=secret&state=s")).status).toBe(500);
    expect(server.logged).toMatchObject([{ route: "/auth/callback" }]);
    expect(JSON.stringify(server.logged)).not.toContain("secret");
  });

  it("is not used up by somebody who only looks", async () => {
    await using server = await serveSignIn();
    for (const path of ["/auth/sign-in", "/auth/callback?code=x"]) {
      expect(await ask(server, path, { method: "HEAD" })).toMatchObject({ status: 200, body: "" });
    }
    expect(server.asked).toEqual([]);
  });

  it.each<[what: string, headers: Record<string, string>]>([
    ["a frame of another site", { ...SENT, "Sec-Fetch-Dest": "iframe" }],
    ["a script of another site", { ...SENT, "Sec-Fetch-Mode": "cors", "Sec-Fetch-Dest": "empty" }],
    ["an image of another site", { ...SENT, "Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Dest": "image" }],
    ["a foreign origin", { ...SENT, Origin: "https://example.com" }],
    ["another name", { Host: "rebound.example.com" }],
  ])("is refused to %s", async (_, headers) => {
    await using server = await serveSignIn();
    for (const path of ["/auth/sign-in", "/auth/callback?code=x"]) {
      expect((await ask(server, path, { headers })).status).toBe(403);
    }
    expect(server.asked).toEqual([]);
  });
});

describe("POST /auth/sign-out", () => {
  it("ends the token that it comes with", async () => {
    await using server = await serveSignIn();
    const headers = { ...JSON_BODY.headers, Authorization: "Bearer sm_right" };
    const answer = await ask(server, "/auth/sign-out", { ...JSON_BODY, headers });
    expect(JSON.parse(answer.body)).toEqual({ success: true, data: { revoked: true, url: null }, error: null });
    expect(server.asked).toHaveLength(1);
  });

  it("needs one, and JSON", async () => {
    await using server = await serveSignIn();
    expect((await ask(server, "/auth/sign-out", JSON_BODY)).status).toBe(401);
    const headers = { ...STRANGER, Authorization: "Bearer sm_right", "Content-Type": "text/plain" };
    expect((await ask(server, "/auth/sign-out", { ...JSON_BODY, headers })).status).toBe(415);
    expect(await ask(server, "/auth/sign-out")).toMatchObject({ status: 405, headers: { allow: "POST" } });
    expect(server.asked).toEqual([]);
  });
});
