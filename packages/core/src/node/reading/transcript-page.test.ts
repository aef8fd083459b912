import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { EntriesOptions, TranscriptPage } from "../../library.ts";
import { openTranscript } from "../../session/open-transcript.ts";
import type { TranscriptItem } from "../../session/transcript.ts";
import { jsonl, SessionText, TestHome } from "../library/library.fixture.ts";
import { MAX_PAGE_BYTES } from "./branch-page.ts";
import { SessionReader } from "./reader.ts";

const MEBIBYTE = 1024 * 1024;

let home: TestHome;
beforeAll(async () => {
  home = await TestHome.create();
});
afterAll(() => home[Symbol.asyncDispose]());

let lastFile = 0;
const write = (session: SessionText) => home.write(`p/${++lastFile}.jsonl`, session.lines);
const decoded = (json: Uint8Array) => JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(json));
const read = (path: string, options: Partial<EntriesOptions> = {}): TranscriptPage =>
  decoded(new SessionReader().transcript({ path, limit: 100, ...options }));

const replacing = (targetId: string, content: string) => ({ type: "context_edit", targetId, replacement: { content } });

describe("a page of a transcript", () => {
  it("has what an export of the branch has, and what the tree lists", async () => {
    const session = new SessionText().user("question");
    const question = session.leaf;
    session.assistant("answer").toolResult("output").entry({ type: "compaction", summary: "in short" });
    session.entry({ type: "model_change", provider: "p", modelId: "m" }).entry(replacing(question, "shorter"));
    session.entry({ type: "label", targetId: question, label: "start" }).entry({ type: "session_info", name: "n" });
    const path = await write(session);
    const items: TranscriptItem[] = [];
    const bytes = new TextEncoder().encode(jsonl(session.lines));
    for await (const item of (await openTranscript(bytes, { order: "branch" })).items) items.push(item);
    const page = read(path);
    expect(page.items).toEqual(items);
    expect(page.items[0]).toMatchObject({ context_edit: { replacement: [{ kind: "text", text: "shorter" }] } });
    expect(page.entries).toEqual([...new SessionReader().tree(path)].flat());
    expect(page.entries.map(({ kind }) => kind)).toEqual([
      "message",
      "message",
      "tool_result",
      "summary",
      "note",
      "context_edit",
      "label",
      "name",
    ]);
  });

  it("applies the edits of its branch alone, wherever on it they are", async () => {
    const session = new SessionText().user("question");
    const question = session.leaf;
    session.assistant("answer");
    const answer = session.leaf;
    const aside = session.entry(replacing(question, "aside")).leaf;
    session.from(answer).user("next");
    for (let n = 0; n < 5; n++) session.entry(replacing(question, `edit ${n}`)).assistant("more");
    const newest = session.leaf;
    const path = await write(session);
    const seen = (options: Partial<EntriesOptions>) =>
      read(path, options).items.map((item) => ("context_edit" in item ? item.context_edit?.replacement?.[0] : null));
    expect(seen({ before: answer })).toEqual([{ kind: "text", text: "edit 4" }]);
    expect(seen({ leaf_id: aside, before: answer })).toEqual([{ kind: "text", text: "aside" }]);
    expect(seen({ leaf_id: answer, before: answer })).toEqual([undefined]);
    expect(seen({ after: answer, limit: 1, leaf_id: newest })).toEqual([undefined]);
  });

  it("ends before it is too large, with what edits replace", async () => {
    const session = new SessionText();
    const users: string[] = [];
    for (let n = 0; n < 6; n++) users.push(session.user("x".repeat(MEBIBYTE)).leaf);
    for (const user of users) session.entry(replacing(user, "y".repeat(2 * MEBIBYTE)));
    const path = await write(session);
    const page = read(path, { before: String(session.entries[6]?.id) });
    expect(page.items.map(({ id }) => id)).toEqual(users.slice(-2));
    expect(JSON.stringify(page).length).toBeLessThan(MAX_PAGE_BYTES);
    expect(page.has_more_before).toBe(true);
  });

  it("says of what was cut where the rest is, as the page of the entries does", async () => {
    const session = new SessionText().user("before").user("word ".repeat(4_000_000)).user("behind");
    const path = await write(session);
    const options = { path, limit: 2, before: session.leaf };
    const page = read(path, options);
    const raw = decoded(new SessionReader().entries(options));
    expect(page.truncated_entries).toEqual(raw.truncated_entries);
    expect(page.truncated_entries).toHaveLength(1);
    expect(JSON.stringify(page).length).toBeLessThan(2 * MEBIBYTE);
  });

  it("is empty in a session without entries", async () => {
    expect(read(await write(new SessionText()))).toMatchObject({ items: [], entries: [], leaf_id: null, total: 0 });
  });
});
