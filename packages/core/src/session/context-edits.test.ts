import { describe, expect, it } from "vitest";
import { jsonl, SessionText } from "../node/library/library.fixture.ts";
import { type OpenTranscriptOptions, openTranscript } from "./open-transcript.ts";
import type { TranscriptItem } from "./transcript.ts";

/** What the model sees of each entry that it sees otherwise, by its id. */
async function editsOf(session: SessionText, options: OpenTranscriptOptions = {}) {
  const { items } = await openTranscript(new TextEncoder().encode(jsonl(session.lines)), options);
  const edits: Record<string, { entry_id: string; seen: string | null }> = {};
  for await (const item of items) {
    const edit = "context_edit" in item ? item.context_edit : null;
    if (edit !== null) edits[item.id] = { entry_id: edit.entry_id, seen: seenIn(edit.replacement) };
  }
  return edits;
}

function seenIn(blocks: Extract<TranscriptItem, { kind: "message" }>["blocks"] | null): string | null {
  return blocks?.map((block) => (block.kind === "text" ? block.text : block.kind)).join() ?? null;
}

/** Edits a question on the branch of the newest answer twice, and once on an older one. */
function edited() {
  const session = new SessionText().user("question");
  const question = session.leaf;
  const answer = session.assistant("a long answer").leaf;
  const older = session.entry({
    type: "context_edit",
    targetId: question,
    replacement: { content: "of the past" },
  }).leaf;
  session.from(answer).user("next");
  const result = session.toolResult("output of a tool").leaf;
  session.entry({ type: "context_edit", targetId: question, replacement: { content: "first" } });
  const newest = session.entry({ type: "context_edit", targetId: question, replacement: null }).leaf;
  const short = [{ type: "text", text: "short" }];
  const replaced = session.entry({ type: "context_edit", targetId: result, replacement: { content: short } }).leaf;
  return { session, question, older, result, newest, replaced, leaf: session.user("end").leaf };
}

describe("what the model sees of an entry", () => {
  it.each<OpenTranscriptOptions>([{}, { order: "branch" }, { order: "file" }])(
    "is told by the newest edit on the newest branch: %o",
    async (options) => {
      const { session, question, newest, result, replaced } = edited();
      expect(await editsOf(session, options)).toEqual({
        [question]: { entry_id: newest, seen: null },
        [result]: { entry_id: replaced, seen: "short" },
      });
    },
  );

  it("is told by the edits of the branch that is asked for", async () => {
    const { session, question, older, result } = edited();
    expect(await editsOf(session, { leaf_id: older })).toEqual({
      [question]: { entry_id: older, seen: "of the past" },
    });
    expect(await editsOf(session, { leaf_id: result })).toEqual({});
  });

  it("is what was said where an edit names nobody, or an entry that is not on its branch", async () => {
    const session = new SessionText().user("root");
    const root = session.leaf;
    const aside = session.user("aside").leaf;
    session.from(root).entry({ type: "context_edit", targetId: aside, replacement: null });
    session.entry({ type: "context_edit", targetId: "nobody", replacement: null });
    session.entry({ type: "context_edit", replacement: null });
    expect(await editsOf(session)).toEqual({});
  });
});
