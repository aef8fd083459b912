import { copyFile, readFile, stat } from "node:fs/promises";
import { SessionManager } from "@earendil-works/pi-coding-agent";
import { describe, expect, it } from "vitest";
import { parseLine } from "../../session/jsonl.ts";
import { codeOf, SessionText, TestHome, touch, untilIndexed, withoutTree } from "../library/library.fixture.ts";

/** What the real agent finds in a file; it is given a copy. */
async function openWithAgent(path: string) {
  const copy = `${path}.copy.jsonl`;
  await copyFile(path, copy);
  return SessionManager.open(copy);
}

describe("a label", () => {
  it("is appended as the agent appends it, which finds it and its conversation", async () => {
    await using home = await TestHome.create();
    const session = new SessionText().user("first question");
    const question = session.leaf;
    const answer = session.assistant("first answer").leaf;
    const path = await home.write("p/a.jsonl", session.lines);
    await touch(path, "2026-03-02T00:00:00.000Z");
    const library = await home.open({ watch: false });
    await untilIndexed(library);
    const before = await readFile(path);

    await library.setBookmark(path, question, true, " the \n fix ");
    const after = await readFile(path);
    expect(after.subarray(0, before.length).equals(before)).toBe(true);
    expect(parseLine(after.subarray(before.length).toString().trim())).toMatchObject({
      type: "label",
      id: expect.stringMatching(/^[0-9a-f]{8}$/),
      parentId: answer,
      targetId: question,
      label: "the fix",
    });
    expect((await stat(path)).mtime.toISOString()).toBe("2026-03-02T00:00:00.000Z");
    const agent = await openWithAgent(path);
    expect(agent.getLabel(question)).toBe("the fix");
    expect(agent.buildSessionContext().messages).toHaveLength(2);
    expect(await library.bookmarks(path)).toMatchObject([{ entry_id: question, label: "the fix" }]);

    await library.setBookmark(path, question, false, "");
    expect((await openWithAgent(path)).getLabel(question)).toBeUndefined();
    expect(await library.bookmarks(path)).toEqual([]);
  });

  it("is refused, with all that goes with it, where it cannot be written", async () => {
    await using home = await TestHome.create();
    const session = new SessionText().user("a question");
    const entry = session.leaf;
    const live = await home.write("p/live.jsonl", session.lines);
    const sequence = await home.write("p/old.jsonl", withoutTree(session.lines));
    const library = await home.open({ watch: false });
    await untilIndexed(library);
    library.setLivePaths(new Set([live]), { rename: async () => undefined, stop: async () => undefined });
    const [first] = await library.readTranscript({ path: sequence, limit: 1 }).then(({ items }) => items);
    const before = await Promise.all([readFile(live), readFile(sequence)]);
    expect(await codeOf(library.setBookmark(live, entry, true, "a"))).toBe("CONFLICT");
    expect(await codeOf(library.setBookmark(sequence, first?.id ?? "", true, "a"))).toBe("CONFLICT");
    expect(await codeOf(library.setBookmark(live, "none", false, "a"))).toBe("CONFLICT");
    library.setLivePaths(new Set(), { rename: async () => undefined, stop: async () => undefined });
    expect(await codeOf(library.setBookmark(live, "none", false, "a"))).toBe("NOT_FOUND");
    expect(await library.bookmarks()).toEqual([]);
    expect(await Promise.all([readFile(live), readFile(sequence)])).toEqual(before);
  });
});
