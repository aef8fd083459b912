import { rm } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ExportOptions } from "../../library.ts";
import { codeOf, EXPORT, SessionText, scanAll, TestHome } from "../library/library.fixture.ts";
import type { Library } from "../library/library.ts";

let home: TestHome;
let library: Library;
beforeAll(async () => {
  home = await TestHome.create();
  library = await home.open({ watch: false });
});
afterAll(() => home[Symbol.asyncDispose]());

/** A result of the extension's tool, which names the sessions of the agents that it has started. */
function started(...files: string[]) {
  const results = files.map((sessionFile) => ({ sessionFile }));
  const call = { type: "toolCall", id: "call", name: "subagent", arguments: {} };
  const result = { role: "toolResult", toolCallId: "call", toolName: "subagent", content: [], isError: false };
  return { call, result: { ...result, details: { results } } };
}

/** A parent, its subagent and that one's own, whose entries have the same IDs as those of the parent. */
async function family(folder: string) {
  const path = (name: string) => `${home.sessions}/${folder}/${name}`;
  const [first, deep] = [path("parent/7f3e/run-0/s.jsonl"), path("parent/7f3e/run-0/s/1a2b/run-0/deep.jsonl")];
  const { call, result } = started(first);
  const text = new SessionText().user("Tide clock of ada@example.com").assistant("Asking", [call]).message(result);
  const parent = await home.write(`${folder}/parent.jsonl`, text.lines);
  const below = started(deep);
  const own = new SessionText().user("Look up bob@example.com").assistant("Deeper", [below.call]).message(below.result);
  const ids = new Map(own.entries.map(({ id }, place) => [id, text.entries[place]?.id]));
  const same = JSON.parse(JSON.stringify(own.lines), (_key, value) => ids.get(value) ?? value);
  await home.write(`${folder}/parent/7f3e/run-0/s.jsonl`, same);
  const last = new SessionText().user("Depths of ada@example.com").assistant("Found.");
  await home.write(`${folder}/parent/7f3e/run-0/s/1a2b/run-0/deep.jsonl`, last.lines);
  await scanAll(library);
  return { parent, first, deep };
}

async function exported(path: string, format: ExportOptions["format"], more: Partial<ExportOptions> = {}) {
  return (await library.export({ ...EXPORT, path, format, include_subagents: true, ...more })).content;
}

describe("an export with subagents", () => {
  it("has a section for each in Markdown, with links from calls", async () => {
    const { parent } = await family("markdown");
    const text = await exported(parent, "markdown");
    const headings = text.match(/^(# .*|<a id=.*|\[Subagent.*)$/gm);
    expect(headings).toEqual([
      "# Session: Tide clock of ada@example.com",
      "[Subagent 1](#subagent-1)",
      '<a id="subagent-1"></a>',
      "# Subagent 1: Look up bob@example.com",
      "[Subagent 2](#subagent-2)",
      '<a id="subagent-2"></a>',
      "# Subagent 2: Depths of ada@example.com",
    ]);
    expect(await exported(parent, "markdown", { include_subagents: false })).not.toContain("ubagent-1");
  });

  it("has a section for each in HTML, with links from calls, and no ID twice", async () => {
    const { parent } = await family("html");
    const page = await exported(parent, "html");
    const ids = [...page.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const links = [...page.matchAll(/ href="#([^"]*)"/g)].map(([, id]) => id);
    for (const link of links) expect(ids).toContain(link);
    expect(links.filter((link) => link === "subagent-1")).toHaveLength(2);
    expect(links.filter((link) => link === "subagent-2")).toHaveLength(2);
    const sections = page.split('<section class="subagent"');
    expect(sections).toHaveLength(3);
    expect(sections[2]).toContain("Found.");
  });

  it("names them in JSON, and where they are in it", async () => {
    const { parent } = await family("json");
    const document = JSON.parse(await exported(parent, "json"));
    const places = (session: { messages: { role: string; subagents?: number[] }[] }) =>
      session.messages.flatMap(({ subagents = [] }) => subagents);
    expect([document, ...document.subagents].map(places)).toEqual([[0], [1], []]);
    expect(document.subagents[1].messages[1]).toMatchObject({ content: "Found." });
    expect(JSON.parse(await exported(parent, "json", { include_subagents: false }))).not.toHaveProperty("subagents");
  });

  it.each(["html", "markdown", "json"] as const)("is redacted with the same numbers: %s", async (format) => {
    const { parent } = await family(`redacted-${format}`);
    const options = { ...EXPORT, path: parent, format, include_subagents: true, redact: true };
    const { content, redactions } = await library.export(options);
    expect(content).not.toMatch(/ada@|bob@|home\/dev/);
    const emails = [...content.matchAll(/(clock of|Look up|Depths of) \\?\[redacted:email-(\d)/g)];
    expect(new Set(emails.map(([, what, number]) => `${what} ${number}`))).toEqual(
      new Set(["clock of 1", "Look up 2", "Depths of 1"]),
    );
    expect(redactions?.find(({ type }) => type === "email")?.count).toBeGreaterThanOrEqual(3);
  });

  it("is previewed as it is redacted", async () => {
    const { parent, first } = await family("previewed");
    const options = { path: parent, include_thinking: true, include_tools: true, include_subagents: true };
    const { redactions } = await library.export({ ...EXPORT, ...options, format: "html", redact: true });
    const total = redactions?.reduce((sum, { count }) => sum + count, 0);
    const preview = await library.previewRedactions(options);
    expect(preview.total).toBe(total);
    const alone = await library.previewRedactions({ ...options, include_subagents: false });
    expect(alone.total).toBeLessThan(preview.total);
    await rm(first);
    expect((await library.previewRedactions(options)).total).toBeLessThan(preview.total);
  });

  it("leaves out those that are gone, and is refused for the file itself", async () => {
    const { parent, first } = await family("gone");
    await rm(first);
    const text = await exported(parent, "markdown");
    expect(text).not.toContain("Look up");
    const options = { ...EXPORT, path: parent, format: "jsonl", include_subagents: true } as const;
    expect(await codeOf(library.exportStream(options))).toBe("INVALID_PAYLOAD");
  });

  it.each(["html", "markdown", "json"] as const)("tells of one that vanishes meanwhile: %s", async (format) => {
    const { parent, first } = await family(`vanishing-${format}`);
    const { chunks } = await library.exportStream({ ...EXPORT, path: parent, format, include_subagents: true });
    await rm(first);
    const pieces: Uint8Array[] = [];
    for await (const chunk of chunks) pieces.push(chunk);
    const text = Buffer.concat(pieces).toString();
    if (format === "json") expect(JSON.parse(text).subagents).toMatchObject([null, { messages: [{}, {}] }]);
    else expect(text).toContain("could not be read any more");
  });
});
