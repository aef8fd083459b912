import { describe, expect, it } from "vitest";
import { AppError } from "../errors.ts";
import { jsonl, SessionText, withoutTree } from "../node/library/library.fixture.ts";
import { type OpenTranscriptOptions, openTranscript } from "./open-transcript.ts";
import type { Transcript, TranscriptItem } from "./transcript.ts";

const encode = (text: string) => new TextEncoder().encode(text);
const open = (session: SessionText, options?: OpenTranscriptOptions) =>
  openTranscript(encode(jsonl(session.lines)), options);

async function itemsOf({ items }: Transcript): Promise<TranscriptItem[]> {
  const all: TranscriptItem[] = [];
  for await (const item of items) all.push(item);
  return all;
}

/** What was said, of each message its first text. */
async function textsOf(transcript: Transcript): Promise<string[]> {
  return (await itemsOf(transcript)).map((item) => {
    const [block] = item.kind === "message" ? item.blocks : [];
    return block?.kind === "text" ? block.text : item.kind;
  });
}

/** A question with two answers, the first of which is labelled. */
function forked() {
  const session = new SessionText().user("question");
  const question = session.leaf;
  const old = session.assistant("old").leaf;
  session.label(old, "good");
  session.from(question).assistant("new").user("thanks");
  return { session, old };
}

describe("openTranscript", () => {
  it("tells what is known of the session", async () => {
    const { session, old } = forked();
    session.entry({ type: "session_info", name: "A name" });
    const { items, runs, ...facts } = await open(session);
    expect(facts).toEqual({
      session_id: (session.lines[0] as { id: string }).id,
      name: "A name",
      title: "A name",
      cwd: "/home/dev/project",
      created_at: "2026-03-01T10:00:01.000Z",
      modified_at: "2026-03-01T10:00:06.000Z",
      models: ["test-1"],
      usage: expect.objectContaining({ total_tokens: 30, cost_usd: 0.5 }),
      message_count: 4,
      user_message_count: 2,
      tool_call_count: 0,
      labels: { [old]: "good" },
      redactions: null,
    });
  });

  it.each<[string, OpenTranscriptOptions, string[], Transcript["runs"]]>([
    [
      "the whole tree in runs",
      {},
      ["question", "new", "thanks", "old", "note"],
      [
        { parent: -1, count: 1, shown: true },
        { parent: 0, count: 2, shown: true },
        { parent: 0, count: 2, shown: false },
      ],
    ],
    ["the newest branch", { order: "branch" }, ["question", "new", "thanks"], [{ parent: -1, count: 3, shown: true }]],
    ["the order of the file", { order: "file" }, ["question", "old", "note", "new", "thanks"], null],
  ])("gives %s", async (_, options, texts, runs) => {
    const transcript = await open(forked().session, options);
    expect(await textsOf(transcript)).toEqual(texts);
    expect(transcript.runs).toEqual(runs);
    // Items can be read as often as one likes.
    expect(await textsOf(transcript)).toEqual(texts);
  });

  it.each(["tree", "branch", "file"] as const)(
    "gives one branch as one run, asked for it in the order %s",
    async (order) => {
      const { session, old } = forked();
      const transcript = await open(session, { leaf_id: old, order });
      expect(await textsOf(transcript)).toEqual(["question", "old"]);
      expect(transcript.runs).toEqual([{ parent: -1, count: 2, shown: true }]);
    },
  );

  it("takes a session in pieces, wherever they end", async () => {
    const bytes = encode(jsonl(new SessionText().user("漢字 é 🙂").assistant("b").lines));
    const whole = await openTranscript(bytes);
    for (const size of [1, 7, 1000]) {
      async function* pieces() {
        for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
      }
      const transcript = await openTranscript(pieces());
      expect({ ...transcript, items: await itemsOf(transcript) }).toEqual({ ...whole, items: await itemsOf(whole) });
    }
  });

  it.each<[string, (text: string) => string]>([
    ["a BOM", (text) => `\ufeff${text}`],
    ["CRLF and blank lines", (text) => text.replaceAll("\n", "\r\n\r\n")],
    ["lines that are none", (text) => text.replaceAll("\n", "\n{broken\n")],
    ["no LF at the end", (text) => text.trimEnd()],
    ["a last line that is still being written", (text) => `${text}{"type":"message","id":"c"`],
    ["everything twice", (text) => text + text],
  ])("reads a file with %s", async (_, change) => {
    const { session } = forked();
    const changed = await openTranscript(encode(change(jsonl(session.lines))));
    const plain = await open(session);
    expect({ ...changed, items: await itemsOf(changed) }).toEqual({ ...plain, items: await itemsOf(plain) });
  });

  it("gives entries of the first version the ids that others do", async () => {
    const transcript = await openTranscript(encode(jsonl(withoutTree(new SessionText().user("a").user("b").lines))));
    const items = await itemsOf(transcript);
    expect(items.map(({ id, parent_id }) => [id, parent_id])).toEqual([
      ["@0", null],
      ["@1", "@0"],
    ]);
  });

  it("calls a session that says nothing after its file", async () => {
    expect(await open(new SessionText(), { file_name: "dir/empty.jsonl" })).toMatchObject({ title: "empty", runs: [] });
    expect(await open(new SessionText(), { order: "branch" })).toMatchObject({ title: "session", runs: [] });
  });

  it.each<[string, string, OpenTranscriptOptions]>([
    ["nothing", "", {}],
    ["no session", "# A text\n{}\n[1]\n", {}],
    ["no such entry", jsonl(new SessionText().user("a").lines), { leaf_id: "missing" }],
  ])("refuses %s", async (_, text, options) => {
    const failure = await openTranscript(encode(text), options).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(AppError);
    expect(failure).toMatchObject({ code: "NOT_FOUND" });
  });
});

describe("an item", () => {
  const ofMessage = async (message: object) => (await itemsOf(await open(new SessionText().message(message))))[0];

  it.each<[string, object, object]>([
    [
      "a tool's result has what the tool recorded",
      { role: "toolResult", toolName: "edit", content: [], isError: false, details: { diff: "+1", lines: [1] } },
      { kind: "tool_result", diff: "+1", details: { diff: "+1", lines: [1] } },
    ],
    [
      "a tool's result may have recorded what is no object",
      { role: "toolResult", content: [], details: "text" },
      { kind: "tool_result", diff: null, details: "text" },
    ],
    ["a tool's result may have recorded nothing", { role: "toolResult" }, { diff: null, details: null }],
    [
      "a command tells where its whole output is kept",
      { role: "bashExecution", command: "ls", output: "a", truncated: true, fullOutputPath: "/tmp/a.log" },
      { kind: "bash", truncated: true, full_output_path: "/tmp/a.log" },
    ],
    ["a command may have no such place", { role: "bashExecution", fullOutputPath: 1 }, { full_output_path: null }],
  ])("%s", async (_, message, expected) => {
    expect(await ofMessage(message)).toMatchObject(expected);
  });
});
