import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { codeOf, EXPORT, SessionText, TestHome, untilIndexed } from "../library/library.fixture.ts";
import type { Library } from "../library/library.ts";

const SECRET = ["ghp", "x".repeat(36)].join("_");

let home: TestHome;
let library: Library;
let path: string;
let labelled: string;
beforeAll(async () => {
  home = await TestHome.create();
  library = await home.open();
  const session = new SessionText().user("the question");
  const question = session.leaf;
  const old = session.assistant("old answer").leaf;
  labelled = session.from(question).assistant("new answer").leaf;
  session.label(labelled, `by the agent ${SECRET}`);
  path = await home.write("p/a.jsonl", session.lines);
  await untilIndexed(library);
  await library.setNote(path, null, `# On the session\n\n</aside><script>alert(1)</script> ${SECRET}`);
  await library.setNote(path, question, "on the question");
  await library.setNote(path, old, "on the old answer");
  for (const entry of [question, labelled]) await library.setBookmark(path, entry, true);
});
afterAll(() => home[Symbol.asyncDispose]());

describe("exports with notes and bookmarks", () => {
  it.each(["html", "markdown", "json"] as const)("have them where they are asked for: %s", async (format) => {
    const plain = await library.export({ ...EXPORT, path, format });
    for (const note of ["On the session", "on the question", "on the old answer"]) {
      expect(plain.content).not.toContain(note);
    }
    const { content } = await library.export({ ...EXPORT, path, format, include_notes: true });
    expect(content).toMatch(/On the session.*(on the question.*the question|the question.*on the question)/s);
    // Escaped in Markdown, and data in JSON.
    if (format !== "json") expect(content).not.toMatch(/(?<!\\)<script>alert/);
    // Markdown has the newest branch only.
    expect(content.includes("on the old answer")).toBe(format !== "markdown");
    if (format !== "json") {
      expect(content).toMatch(/Bookmarked.*the question.*Bookmark:.*by the agent.*new answer/s);
      expect(plain.content).not.toContain("Bookmarked");
    }
    const streamed = await library.exportStream({ ...EXPORT, path, format, include_notes: true });
    expect((await buffer(streamed.chunks)).toString()).toBe(content);
    const redacted = await library.export({ ...EXPORT, path, format, include_notes: true, redact: true });
    expect(redacted.content).toContain("on the question");
    expect(redacted.content).not.toContain(SECRET);
  });

  it("tell in JSON which entry has one", async () => {
    const { content } = await library.export({ ...EXPORT, path, format: "json", include_notes: true });
    const { note, messages } = JSON.parse(content) as {
      note: string;
      messages: { note: string | null; bookmarked: boolean }[];
    };
    expect(note).toContain("On the session");
    expect(messages.map((message) => message.note)).toEqual(["on the question", "on the old answer", null, null]);
    expect(messages.map(({ bookmarked }) => bookmarked)).toEqual([true, false, true, false]);
  });

  it("quote them in Markdown, whose headings stay those of the document", async () => {
    const { content } = await library.export({ ...EXPORT, path, format: "markdown", include_notes: true });
    expect(content).toContain("> **Note:**\n>\n> on the question\n");
    expect(content).not.toMatch(/^#+ On the session/m);
  });

  it("are previewed with what would be redacted of them", async () => {
    const { total } = await library.previewRedactions({ path });
    expect((await library.previewRedactions({ path, include_notes: true })).total).toBe(total + 1);
  });

  it("are not the file itself", async () => {
    const asked = { ...EXPORT, path, format: "jsonl", include_notes: true } as const;
    expect(await codeOf(library.exportStream(asked))).toBe("INVALID_PAYLOAD");
  });
});
