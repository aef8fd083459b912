import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isJsonObject, type JsonObject } from "../json.ts";
import { decodeActivity, decodeRollup } from "../stats/activity-chunk.ts";
import type { FoldState } from "./fold-state.ts";
import { LineSplitter, parseLine } from "./jsonl.ts";
import { OUTLINE_CHUNK, Outline } from "./outline.ts";
import type { SessionRecord } from "./record.ts";
import { SessionFold } from "./session-fold.ts";

const FILE = { path: "/sessions/2026-11-21T03-07-38-373Z_abc.jsonl", size: 10, modifiedAt: 1_000 };
const HEADER = { type: "session", version: 3, id: "s1", timestamp: "2026-11-21T03:07:38.373Z", cwd: "/code" };

let clock = 0;
const time = () => new Date(1_795_230_460_000 + clock++ * 1000).toISOString();

function said(role: string, text: string | null, id: string, parentId: string | null, more: object = {}): JsonObject {
  const content = text === null ? [] : [{ type: "text", text }];
  return { type: "message", id, parentId, timestamp: time(), message: { role, content, ...more } };
}

function fold(lines: unknown[]): SessionFold {
  const result = new SessionFold();
  lines.forEach((line, place) => {
    if (isJsonObject(line)) result.add(line, place * 100, 99);
    else result.addMalformed();
  });
  return result;
}

const record = (lines: unknown[]): SessionRecord => fold(lines).record(FILE);

/** Keeps a fold as the index does and takes it up again. */
function kept(before: SessionFold): SessionFold {
  const chunks: Uint8Array[] = [];
  for (let first = 0; first < before.outline.count; first += OUTLINE_CHUNK)
    chunks.push(before.outline.encodeChunk(first));
  const state = JSON.parse(JSON.stringify(before.state)) as FoldState;
  return new SessionFold({ state, outline: Outline.decode(chunks), activity: before.activity });
}

const model = (provider: string, name: string) => ({ provider, model: name });

/** An entry with so many tokens. */
function used(type: string, tokens: number, id: string, parentId: string | null, more: object = {}): JsonObject {
  return { type, id, parentId, timestamp: time(), usage: { input: tokens, cost: { total: tokens } }, ...more };
}

/** The tokens of each entry that has used some, with the model that they count for. */
function uses({ activity, outline }: SessionFold): Record<number, string> {
  const [chunk] = activity.changedChunks();
  if (chunk === undefined) return {};
  const { names } = decodeRollup(chunk.rollup);
  const entries = decodeActivity(names, chunk.details, (place) => outline.timestamp(place));
  return Object.fromEntries(
    entries.flatMap(({ activity: { usage, provider, model } }) =>
      usage === null ? [] : [[usage.total_tokens, `${provider}/${model}`]],
    ),
  );
}

describe("SessionFold", () => {
  it("makes the record of an ordinary session", () => {
    const usage = { input: 10, output: 2, cacheRead: 3, cacheWrite: 0, totalTokens: 15, cost: { total: 0.5 } };
    const call = { type: "toolCall", id: "c", name: "bash", arguments: { command: "ls" } };
    const lines = [
      HEADER,
      said("user", "  Fix the\n login ", "a", null),
      said("assistant", "Done.", "b", "a", {
        content: [{ type: "text", text: "Done." }, call],
        model: "m",
        provider: "p",
        usage,
      }),
      said("toolResult", "file", "c", "b"),
    ];
    expect(record(lines)).toMatchObject({
      path: FILE.path,
      id: "s1",
      format: "pi",
      name: null,
      title: "Fix the login",
      cwd: "/code",
      created_at: HEADER.timestamp,
      message_count: 3,
      user_message_count: 1,
      assistant_message_count: 1,
      tool_call_count: 1,
      first_message: "Fix the\n login",
      last_message: "Done.",
      last_role: "assistant",
      outcome: null,
      outcome_message: null,
      models: ["m"],
      providers: ["p"],
      usage: { input_tokens: 10, output_tokens: 2, cache_read_tokens: 3, total_tokens: 15, cost_usd: 0.5 },
      branch_count: 1,
      malformed_lines: 0,
    });
  });

  it("counts every branch and shows the last words of the newest", () => {
    const lines = [
      HEADER,
      said("user", "q", "a", null),
      said("assistant", "old", "b", "a"),
      said("assistant", "new", "c", "a"),
    ];
    expect(record(lines)).toMatchObject({ branch_count: 2, last_message: "new", assistant_message_count: 2 });
    const back = fold([...lines, said("toolResult", "t", "d", "b")]);
    // The newest branch is the old one again: its words are no longer at hand.
    expect(back.forgottenText()).toEqual({ offset: 200, length: 99 });
    back.recall(lines[2] as JsonObject);
    expect(back.record(FILE).last_message).toBe("old");
  });

  it("adds up what all entries have used, for the model that they name, else for the one in force on their branch", () => {
    const answer = (tokens: number, name = {}) => ({ ...name, usage: { input: tokens, cost: { total: tokens } } });
    const lines = [
      HEADER,
      used("usage", 1, "0", null),
      { type: "model_change", id: "a", parentId: "0", timestamp: time(), provider: "p", modelId: "chosen" },
      used("compaction", 2, "b", "a"),
      said("assistant", "x", "c", "b", answer(3, model("p", "one"))),
      said("toolResult", "x", "d", "c", answer(4, model("q", "of no interest"))),
      used("usage", 5, "e", "d", { kind: "cache_warm", ...model("q", "warm") }),
      said("user", "x", "f", "a"),
      used("branch_summary", 6, "g", "f"),
      said("assistant", "x", "h", "d", answer(7)),
      said("assistant", "x", "i", "h", { stopReason: "aborted", ...answer(8, model("azure-openai-responses", "two")) }),
      used("compaction", 9, "j", "i"),
      used("compaction", 10, "k", "e"),
    ];
    const expected = {
      1: "null/null",
      2: "p/chosen",
      3: "p/one",
      4: "p/one",
      5: "q/warm",
      6: "p/chosen",
      7: "p/one",
      8: "azure/two",
      9: "azure/two",
      10: "p/one",
    };
    const whole = fold(lines);
    expect(uses(whole)).toEqual(expected);
    expect(whole.record(FILE)).toMatchObject({
      usage: { input_tokens: 55, total_tokens: 55, cost_usd: 55 },
      models: ["one", "two"],
      providers: ["p", "azure"],
      message_count: 5,
    });
    for (const at of lines.keys()) {
      const before = fold(lines.slice(0, at));
      const resumed = kept(before);
      lines.slice(at).forEach((line, place) => void resumed.add(line, (at + place) * 100, 99));
      expect(uses(resumed)).toEqual(expected);
      expect(resumed.record(FILE)).toEqual(whole.record(FILE));
    }
  });

  it("makes no branch of what was used, nor of an edit of the context", () => {
    const lines = [
      HEADER,
      said("user", "u", "a", null),
      said("assistant", "v", "b", "a"),
      used("usage", 1, "c", "a"),
      { type: "context_edit", id: "d", parentId: "a", timestamp: time(), targetId: "a", replacement: null },
      { type: "context_edit", id: "e", parentId: "c", timestamp: time(), targetId: "a", replacement: null },
    ];
    expect(record(lines)).toMatchObject({ branch_count: 1, message_count: 2 });
    const behind = [...lines, said("user", "w", "f", "e")];
    expect(record(behind)).toMatchObject({ branch_count: 2, last_message: "w" });
    expect(record([HEADER, used("usage", 1, "c", null)])).toMatchObject({ branch_count: 0, message_count: 0 });
  });

  it("counts the calls of a tool for statistics, not as calls of the model", () => {
    const calls = [
      { id: "1", name: "read", status: "ok" },
      { id: "2", name: "bash", status: "error" },
    ];
    const content = [{ type: "toolCall", id: "c", name: "codemode", arguments: {} }];
    const session = fold([
      HEADER,
      said("assistant", null, "a", null, { content }),
      said("toolResult", null, "b", "a", { toolName: "codemode", nestedCalls: { calls, complete: true } }),
    ]);
    expect(session.record(FILE).tool_call_count).toBe(1);
    const [chunk] = session.activity.changedChunks();
    expect(decodeRollup(chunk?.rollup ?? new Uint8Array()).names.tools).toEqual(["bash", "codemode", "read"]);
  });

  it.each<[string, unknown[], Partial<SessionRecord>]>([
    [
      "a header only",
      [HEADER],
      { branch_count: 0, title: "2026-11-21T03-07-38-373Z_abc", modified_at: HEADER.timestamp },
    ],
    ["no header", [said("user", "hi", "a", null)], { id: "abc", malformed_lines: 1, title: "hi" }],
    ["a torn header", ["{", said("user", "hi", "a", null)], { id: "abc", malformed_lines: 1 }],
    ["a header without id", [{ ...HEADER, id: 5 }], { id: "abc" }],
    [
      "a name, cleared",
      [
        HEADER,
        { type: "session_info", id: "n", parentId: null, timestamp: time(), name: "N" },
        { type: "session_info", id: "m", parentId: "n", timestamp: time(), name: "" },
      ],
      { name: null },
    ],
    [
      "a name",
      [HEADER, { type: "session_info", id: "n", parentId: null, timestamp: time(), name: " A  B " }],
      { name: "A  B", title: "A B", branch_count: 0 },
    ],
    [
      "content null",
      [HEADER, { type: "message", id: "a", parentId: null, timestamp: "x", message: { role: "user", content: null } }],
      { message_count: 1, first_message: null },
    ],
    [
      "a message without message",
      [HEADER, { type: "message", id: "a", parentId: null }],
      { message_count: 1, user_message_count: 0 },
    ],
    ["an unknown type", [HEADER, { type: "news", id: "a", parentId: null }], { branch_count: 1, message_count: 0 }],
    [
      "two headers with everything twice",
      [HEADER, said("user", "u", "a", null), { ...HEADER, id: "s2" }, said("user", "u", "a", null)],
      { id: "s1", message_count: 1, branch_count: 1 },
    ],
    [
      "a parent that comes later",
      [HEADER, said("user", "2", "b", "a"), said("user", "1", "a", null)],
      { branch_count: 1, message_count: 2 },
    ],
    ["an orphan", [HEADER, said("user", "1", "a", null), said("user", "2", "b", "gone")], { branch_count: 2 }],
    [
      "a circle",
      [HEADER, said("user", "1", "a", "b"), said("user", "2", "b", "a")],
      { branch_count: 1, message_count: 2 },
    ],
    ["an entry that is its own parent", [HEADER, said("user", "1", "a", "a")], { branch_count: 1 }],
    [
      "ids of every kind",
      [
        HEADER,
        said("user", "1", "__proto__", null),
        said("user", "2", "b", "__proto__"),
        { type: "label", id: "l", parentId: "b", targetId: "__proto__", label: "x" },
      ],
      { branch_count: 1, message_count: 2 },
    ],
    [
      "no cost on record",
      [HEADER, said("assistant", "x", "a", null, { usage: { input: 1, output: 2 } })],
      {
        usage: {
          input_tokens: 1,
          output_tokens: 2,
          cache_read_tokens: 0,
          cache_write_tokens: 0,
          cache_write_1h_tokens: 0,
          reasoning_tokens: 0,
          total_tokens: 3,
          cost_usd: null,
          estimated_cost_usd: null,
        },
      },
    ],
    [
      "a higher version",
      [{ ...HEADER, version: 9 }, said("user", "1", "a", null), said("user", "2", "b", null)],
      { branch_count: 2 },
    ],
    ["a parent session", [{ ...HEADER, parentSession: "/p.jsonl" }], { parent_session_path: "/p.jsonl" }],
  ])("reads %s", (_, lines, expected) => {
    expect(record(lines)).toMatchObject(expected);
  });

  it("reads version 1 as a sequence, with ids of its own", () => {
    const { id: _, parentId: __, ...first } = said("user", "one", "", null);
    const { id: ___, parentId: ____, ...second } = said("assistant", "two", "", null);
    const session = fold([
      { type: "session", id: "s", timestamp: HEADER.timestamp, branchedFrom: "/old.jsonl" },
      first,
      second,
    ]);
    expect(session.record(FILE)).toMatchObject({
      branch_count: 1,
      message_count: 2,
      parent_session_path: "/old.jsonl",
    });
    expect(session.outline.at(1)).toMatchObject({ id: "@1", parent: 0 });
  });

  it.each([
    ["nothing", []],
    [
      "another agent's lines",
      [
        { type: "user", uuid: "x", message: { role: "user" } },
        { type: "response_item", payload: {} },
      ],
    ],
    ["a codex message", [{ type: "message", role: "user", content: [] }]],
  ])("takes %s for no session", (_, lines) => {
    expect(fold(lines).isSession).toBe(false);
  });

  const anyLine = fc.oneof(
    fc.constant(HEADER),
    fc.record({
      type: fc.constantFrom("message", "label", "session_info", "custom", "compaction", "x"),
      id: fc.constantFrom("a", "b", "c", "d", "e"),
      parentId: fc.option(fc.constantFrom("a", "b", "c", "d", "e", "z")),
      timestamp: fc.constantFrom("2026-01-01T00:00:00.000Z", "bad"),
      targetId: fc.constantFrom("a", "b"),
      label: fc.option(fc.string()),
      name: fc.string(),
      message: fc.record({
        role: fc.constantFrom("user", "assistant", "toolResult", "odd"),
        content: fc.oneof(
          fc.constant(null),
          fc.string(),
          fc.array(fc.record({ type: fc.constantFrom("text", "image"), text: fc.string() })),
        ),
      }),
    }),
    fc.jsonValue(),
  );

  it("gives the same record whether a file is read at once or piece by piece", () => {
    fc.assert(
      fc.property(fc.array(anyLine, { maxLength: 25 }), fc.nat(25), (lines, at) => {
        const add = (target: SessionFold, line: unknown, place: number) => {
          if (isJsonObject(line)) target.add(line, place * 100, 99);
          else target.addMalformed();
        };
        const whole = new SessionFold();
        lines.forEach((line, place) => void add(whole, line, place));
        let pieces = new SessionFold();
        lines.forEach((line, place) => {
          if (place === at) pieces = kept(pieces);
          add(pieces, line, place);
        });
        const finish = (target: SessionFold) => {
          const place = target.forgottenText();
          const line = place === null ? null : lines[place.offset / 100];
          if (isJsonObject(line)) target.recall(line);
          return target.record(FILE);
        };
        expect(finish(pieces)).toEqual(finish(whole));
      }),
    );
  });

  it("survives any bytes", () => {
    const noise = fc.oneof(
      fc.uint8Array({ maxLength: 200 }),
      fc.json().map((text) => new TextEncoder().encode(`${text}\n`)),
    );
    fc.assert(
      fc.property(fc.array(noise, { maxLength: 10 }), (chunks) => {
        const session = new SessionFold();
        const splitter = new LineSplitter((bytes, offset) => {
          const line = parseLine(new TextDecoder().decode(bytes));
          if (line === null) session.addMalformed();
          else session.add(line, offset, bytes.length);
        });
        for (const chunk of chunks) splitter.push(chunk);
        const { title, malformed_lines } = session.record(FILE);
        expect(title.length).toBeLessThanOrEqual(200);
        expect(malformed_lines).toBeGreaterThanOrEqual(0);
      }),
    );
  });
});
