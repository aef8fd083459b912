import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { called, noted, ran, returned, said, summarised, USAGE } from "../export/transcript.fixture.ts";
import { piFacts } from "../format/pi/facts.ts";
import type { JsonObject } from "../json.ts";
import { openTranscript } from "../session/open-transcript.ts";
import type { TranscriptBlock, TranscriptItem } from "../session/transcript.ts";
import { CONVERTED_FROM, piLines } from "./pi-lines.ts";

const ORIGIN = {
  format: "claude-code",
  session_id: "0b3f7c52",
  path: "/c/0b3f7c52.jsonl",
  entry_id: "e9",
  converted_at: "2026-06-01T10:00:00.000Z",
} as const;
const SESSION = { id: "new", cwd: "/w", name: null, origin: ORIGIN, model: "claude-opus-4-5", provider: null };

function linesOf(
  items: readonly TranscriptItem[],
  session: Partial<typeof SESSION> | { name: string } = {},
): JsonObject[] {
  let ids = 0;
  return [...piLines(items, { ...SESSION, ...session }, () => `id${++ids}`)];
}

/** The messages, without what all of them have. */
function messagesOf(items: readonly TranscriptItem[]): JsonObject[] {
  return linesOf(items).flatMap(({ message, type, customType, content, summary }) =>
    typeof message === "object" && message !== null
      ? [message as JsonObject]
      : type === "custom_message"
        ? [{ role: customType, content }]
        : type === "compaction"
          ? [{ role: type, summary }]
          : [],
  );
}

const rolesOf = (items: readonly TranscriptItem[]) => messagesOf(items).map(({ role }) => role);

/** How the agent of the new file reads it. */
async function readBack(items: readonly TranscriptItem[]): Promise<TranscriptItem[]> {
  const text = linesOf(items)
    .map((line) => `${JSON.stringify(line)}\n`)
    .join("");
  const { items: read } = await openTranscript(new TextEncoder().encode(text), { order: "branch" });
  const all: TranscriptItem[] = [];
  for await (const item of read) all.push(item);
  return all;
}

/** What a person sees of the texts of entries, in order. */
function textsOf(items: readonly TranscriptItem[]): string[] {
  return items.flatMap((item) => {
    if (item.kind === "summary") return [item.text];
    if (item.kind === "bash") return [item.command, item.output];
    if (item.kind === "note" || (item.kind === "message" && (item.hidden || item.role === "system"))) return [];
    return item.blocks.flatMap((block) => ("text" in block && block.text !== null ? [block.text] : []));
  });
}

/** What a provider refuses in a conversation; `null` if it takes it. */
function refusal(lines: readonly JsonObject[]): string | null {
  const seen = new Set<string>();
  let open = new Set<string>();
  for (const { type, message } of lines) {
    const { role, content, toolCallId } = (type === "message" ? message : { role: type }) as JsonObject;
    if (role === "toolResult") {
      if (!open.delete(String(toolCallId))) return `${toolCallId} has no call before it`;
      continue;
    }
    if (type === "custom" || type === "session_info" || type === "session") continue;
    if (open.size > 0) return `${[...open]} has no result`;
    const calls = role === "assistant" ? (content as JsonObject[]).filter((block) => block.type === "toolCall") : [];
    for (const { id } of calls) {
      if (seen.has(String(id)) || !/^[a-zA-Z0-9_-]{1,64}$/.test(String(id))) return `${id} is no ID of a call`;
      seen.add(String(id));
    }
    open = new Set(calls.map(({ id }) => String(id)));
  }
  return open.size > 0 ? `${[...open]} has no result at the end` : null;
}

describe("a converted session", () => {
  it("says where it comes from, and is a chain of entries of format 3", () => {
    const lines = linesOf([said("user", ["Why?"]), said("assistant", ["Because."])], { name: "Tides" });
    expect(lines.slice(0, 3)).toEqual([
      {
        type: "session",
        version: 3,
        id: "new",
        timestamp: ORIGIN.converted_at,
        cwd: "/w",
        parentSession: ORIGIN.path,
      },
      {
        type: "custom",
        id: "id1",
        parentId: null,
        timestamp: ORIGIN.converted_at,
        customType: CONVERTED_FROM,
        data: ORIGIN,
      },
      { type: "session_info", id: "id2", parentId: "id1", timestamp: ORIGIN.converted_at, name: "Tides" },
    ]);
    expect(lines.slice(1).map(({ parentId }) => parentId)).toEqual([null, "id1", "id2", "id3"]);
  });

  it("has the model of each answer, and usage that is counted for the source alone", () => {
    const [answer] = messagesOf([said("assistant", ["Yes."], { usage: USAGE, stop_reason: "end_turn" })]);
    expect(answer).toMatchObject({
      role: "assistant",
      api: "anthropic-messages",
      provider: "anthropic",
      model: "claude-opus-4-5",
      stopReason: "stop",
      usage: { input: 300, output: 100, totalTokens: 400, cost: { total: 0 } },
    });
    expect(piFacts({ type: "message", message: answer ?? {} }).usage).toBeNull();
  });

  it("keeps thinking without what its provider has signed, and images that models take", () => {
    const blocks: TranscriptBlock[] = [
      { kind: "thinking", text: "Hm.", redacted: false },
      { kind: "thinking", text: "", redacted: true },
      { kind: "text", text: "Yes." },
    ];
    const picture: TranscriptBlock = { kind: "image", mime_type: "image/png", data: "aGk=" };
    const drawing: TranscriptBlock = { kind: "image", mime_type: "image/svg+xml", data: "aGk=" };
    const [prompt, answer] = messagesOf([said("user", [picture, drawing]), said("assistant", blocks)]);
    expect(prompt?.content).toEqual([
      { type: "image", data: "aGk=", mimeType: "image/png" },
      { type: "text", text: "[image, image/svg+xml]" },
    ]);
    expect(answer?.content).toEqual([
      { type: "thinking", thinking: "Hm." },
      { type: "text", text: "Yes." },
    ]);
  });

  it("takes the model and the usage of an answer from the notes of Codex", () => {
    const turn: TranscriptItem = { ...noted("turn_context"), value: { payload: { model: "gpt-5.2-codex" } } };
    const tokens: TranscriptItem = { ...noted("token_count"), hidden: true, usage: USAGE };
    const [answer] = messagesOf([turn, said("assistant", ["Done."]), tokens]);
    expect(answer).toMatchObject({ model: "gpt-5.2-codex", usage: { totalTokens: 400 } });
  });
});

describe("calls and results", () => {
  const reading = called("c1", "read", { path: "a.ts" });
  const listing = called("c2", "ls", { path: "." });

  it.each<[string, TranscriptItem[], string[]]>([
    [
      "pieces of an answer are one, with its results behind it",
      [
        said("assistant", ["I look."]),
        said("assistant", [reading]),
        said("assistant", [listing]),
        returned("c2", "b"),
        returned("c1", "a"),
      ],
      ["assistant", "toolResult", "toolResult"],
    ],
    [
      "a prompt between call and result follows the result",
      [said("assistant", [reading]), said("user", ["Stop."]), returned("c1", "a"), said("assistant", ["Stopped."])],
      ["assistant", "toolResult", "user", "assistant"],
    ],
    [
      "a call without a result gets one",
      [said("assistant", [reading]), said("user", ["And now?"])],
      ["assistant", "toolResult", "user"],
    ],
    [
      "a result without a call is a message",
      [said("user", ["Go on."]), returned("gone", "text"), said("assistant", ["Yes."])],
      ["user", "session-manager/source", "assistant"],
    ],
    [
      "two answers of a turn are two",
      [said("assistant", ["One."], { answer_id: "m1" }), said("assistant", ["Two."], { answer_id: "m2" })],
      ["assistant", "assistant"],
    ],
    [
      "what the client says is a message, and hidden context is left out",
      [
        said("client", ["[interrupted]"]),
        said("client", ["instructions"], { hidden: true }),
        said("system", ["prompt"]),
      ],
      ["session-manager/source"],
    ],
    [
      "shell commands and summaries have their own entries",
      [ran("ls", "a"), summarised("compaction", "We did much."), said("user", ["Go on."])],
      ["bashExecution", "compaction", "user"],
    ],
  ])("%s", (_, items, roles) => {
    expect(rolesOf(items)).toEqual(roles);
    expect(refusal(linesOf(items))).toBeNull();
  });

  it("are joined by IDs that all providers take, another one for each call", () => {
    const long = `call|${"x".repeat(100)}`;
    const items = [
      said("assistant", [called(long, "read")]),
      returned(long, "one"),
      said("assistant", [called(long, "read")]),
      returned(long, "two"),
    ];
    const results = messagesOf(items).filter(({ role }) => role === "toolResult");
    expect(results.map(({ content }) => (content as JsonObject[])[0]?.text)).toEqual(["one", "two"]);
    expect(new Set(results.map(({ toolCallId }) => toolCallId)).size).toBe(2);
    expect(refusal(linesOf(items))).toBeNull();
  });

  it("of an answer of very many pieces take no time that grows with their square", () => {
    const many = Array.from({ length: 15_000 }, (_, at) => at);
    const answers = many.flatMap((at) => [
      said("assistant", [called(`c${at}`, "read")]),
      said("assistant", [called("same", "read")]),
    ]);
    const results = many.flatMap((at) => [returned(`c${at}`, "a"), returned("same", "b")]);
    const messages = messagesOf([...answers, ...results]);
    expect(messages).toHaveLength(1 + 2 * many.length);
    expect(new Set(messages.map(({ toolCallId }) => toolCallId)).size).toBe(messages.length);
  });

  it("of one call that was told of twice are one result", () => {
    const items = [said("assistant", [reading]), returned("c1", "Success", { diff: "+x" }), returned("c1", "exit 0")];
    const [, result] = messagesOf(items);
    expect(result).toMatchObject({
      content: [{ text: "Success" }, { text: "exit 0" }],
      details: { diff: "+x" },
    });
    expect(rolesOf(items)).toHaveLength(2);
  });

  it("an answer that failed after its calls keeps them for the model", () => {
    const [answer] = messagesOf([said("assistant", [reading], { error_message: "overloaded" }), returned("c1", "a")]);
    expect(answer).toMatchObject({ stopReason: "toolUse", errorMessage: "overloaded" });
  });

  it("a compaction keeps nothing of what was before", async () => {
    const items = await readBack([said("user", ["Long ago."]), summarised("compaction", "We did much.")]);
    expect(items.at(-1)).toMatchObject({ kind: "summary", text: "We did much.", keeps_nothing: true });
  });
});

const words = fc.string({ minLength: 1, maxLength: 20 });
const answerId = fc.constantFrom(null, "m1", "m2");

/** Turns as an agent writes them: a prompt, then answers with calls, each of which has its result. */
const turn = fc
  .tuple(
    words,
    fc.array(fc.tuple(fc.array(fc.oneof(words, fc.constant(null)), { maxLength: 4 }), fc.array(words), fc.nat()), {
      maxLength: 3,
    }),
    words,
  )
  .map(([prompt, rounds, end]) => ({ prompt, rounds, end }));

function itemsOfTurns(
  turns: readonly { prompt: string; rounds: [(string | null)[], string[], number][]; end: string }[],
) {
  let calls = 0;
  return turns.flatMap(({ prompt, rounds, end }): TranscriptItem[] => [
    said("user", [prompt]),
    ...rounds.flatMap(([pieces, outputs, seed]): TranscriptItem[] => {
      const ids: string[] = [];
      const answers = pieces.map((piece) => {
        if (piece !== null) return said("assistant", [piece]);
        ids.push(`call-${++calls}`);
        return said("assistant", [called(ids.at(-1) ?? "", "read")]);
      });
      const order = seed % 2 === 0 ? ids : ids.toReversed();
      return [...answers, ...order.map((id, place) => returned(id, outputs[place] ?? "nothing"))];
    }),
    said("assistant", [end]),
  ]);
}

/** Entries in any order: results of other calls or none, calls without results, what comes in between. */
const anything: fc.Arbitrary<TranscriptItem> = fc.oneof(
  words.map((text) => said("user", [text])),
  fc.tuple(words, answerId).map(([text, answer_id]) => said("assistant", [text], { answer_id })),
  fc
    .tuple(fc.constantFrom("a", "b", "c|d", null), words, answerId)
    .map(([id, text, answer_id]) => said("assistant", [text, called(id, "read")], { answer_id })),
  fc.tuple(fc.constantFrom("a", "b", "c|d", "gone", null), words).map(([id, text]) => returned(id, text)),
  words.map((text) => said("client", [text])),
  words.map((text) => said("assistant", [], { error_message: text })),
  fc.tuple(words, words).map(([command, output]) => ran(command, output)),
  words.map((text) => summarised("compaction", text)),
  words.map((text) => summarised("branch", text)),
  fc.constant(noted("custom")),
);

describe("for any transcript", () => {
  it("the texts are the same in the same order, if each call has its result", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(turn, { maxLength: 5 }), async (turns) => {
        const items = itemsOfTurns(turns);
        expect(textsOf(await readBack(items))).toEqual(textsOf(items));
      }),
      { numRuns: 300 },
    );
  });

  it("no text is lost, and a provider takes the conversation", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anything, { maxLength: 25 }), async (items) => {
        const lines = linesOf(items);
        expect(refusal(lines)).toBeNull();
        const left = textsOf(await readBack(items));
        for (const text of textsOf(items)) {
          const place = left.indexOf(text);
          expect(place, text).toBeGreaterThanOrEqual(0);
          left.splice(place, 1);
        }
        const added = left.filter((text) => text !== "No result was recorded." && !/^\[Result of .*\]$/.test(text));
        expect(added).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });
});
