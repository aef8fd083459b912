import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { ExportTheme } from "../library.ts";
import { INDEX_STYLE } from "./html/assets.ts";
import { type ArchivedSession, archiveIndexPage, type MissingSession } from "./index-page.ts";

const SESSION: ArchivedSession = {
  file_name: "Fix-login.html",
  title: "Fix login",
  project: "/home/ada/shop",
  modified_at: "2026-03-01T10:00:09.000Z",
  message_count: 1_204,
  costs: { cost_usd: 3.196, estimated_cost_usd: null },
  problem: null,
};

const page = (sessions: ArchivedSession[], missing: MissingSession[], theme: ExportTheme = "system") =>
  [...archiveIndexPage(sessions, missing, theme)].join("");

/** The text of a page, as somebody reads it. */
const text = (html: string) =>
  html
    .replace(/<style>.*?<\/style>/s, "")
    .replace(/<[^>]*>/g, " ")
    .replace(/\s+/g, " ")
    .trim();

describe("archiveIndexPage", () => {
  it("lists the sessions with a link each", () => {
    const html = page(
      [
        SESSION,
        { ...SESSION, file_name: "日本 #1%.md", project: null, costs: { cost_usd: null, estimated_cost_usd: 0.5 } },
      ],
      [],
    );
    expect(text(html)).toBe(
      "2 sessions 2 sessions 2,408 messages · $3.20 + ≈ $0.50 estimated " +
        "Fix login 2026-03-01 10:00 UTC 1,204 messages · $3.20 /home/ada/shop " +
        "Fix login 2026-03-01 10:00 UTC 1,204 messages · ≈ $0.50 estimated",
    );
    const links = [...html.matchAll(/href="([^"]*)"/g)].map(([, address = ""]) => decodeURIComponent(address));
    expect(links).toEqual(["Fix-login.html", "日本 #1%.md"]);
    expect(html).toContain('href="%E6%97%A5%E6%9C%AC%20%231%25.md"');
  });

  it("tells what is missing, and what is not whole", () => {
    const html = page(
      [{ ...SESSION, message_count: 1, problem: "It changed." }],
      [
        { name: "a.jsonl", reason: "It is gone." },
        { name: "b.jsonl", reason: "b.jsonl does not exist." },
      ],
    );
    expect(text(html)).toContain("2 sessions could not be exported a.jsonl : It is gone. b.jsonl does not exist.");
    expect(text(html)).toContain("The file is not whole: It changed.");
  });

  it("is a page without sessions", () => {
    expect(text(page([], []))).toBe("0 sessions 0 sessions 0 messages");
  });

  it.each([
    ["system", '<html lang="en">'],
    ["dark", '<html lang="en" data-theme="dark">'],
  ] as const)("has the theme %s", (theme, start) => {
    expect(page([SESSION], [], theme)).toContain(start);
  });

  it("lets nothing in but its own style", () => {
    const html = page([SESSION], []);
    const hash = createHash("sha256").update(INDEX_STYLE).digest("base64");
    expect(html).toContain(`default-src 'none'; style-src 'sha256-${hash}'`);
    expect(html).toContain(`<style>${INDEX_STYLE}</style>`);
    expect(html).not.toMatch(/<script|\sstyle=|\son\w+=/);
    expect(html.replace(/<!doctype html>|<style>.*<\/style>/s, "")).not.toMatch(/https?:|\/\/|url\(/);
  });

  it.each([
    `"><img src=x onerror=alert(1)>`,
    "</title></style><script>alert(1)</script>",
    "<!-- \u202Egpj.exe\u2066 \u0000",
    "\ud800 & &lt;",
  ])("shows %j as what it is", (hostile) => {
    const fields = { title: hostile, project: hostile, problem: hostile };
    const html = page([{ ...SESSION, ...fields }], [{ name: hostile, reason: hostile }]);
    const tags = [...html.matchAll(/<([a-z0-9]+)/g)].map(([, name]) => name);
    const plain = page([{ ...SESSION, problem: "x" }], [{ name: "x", reason: "x" }]);
    expect(tags).toEqual([...plain.matchAll(/<([a-z0-9]+)/g)].map(([, name]) => name));
    expect(html).not.toMatch(/[\p{Bidi_Control}\0]|<!--/u);
  });

  it("bounds what a transcript may make long", () => {
    expect(page([{ ...SESSION, project: "x".repeat(1_000_000) }], []).length).toBeLessThan(10_000);
  });
});
