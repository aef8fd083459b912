import type { SearchHit, SessionRecord, TranscriptItem } from "@sm/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { SendCommand } from "./commands.ts";
import type { McpContext } from "./context.ts";
import { readSession } from "./tools/read-session.ts";
import { tools } from "./tools/tools.ts";

// Whatever sessions contain, an answer keeps to its budget, as text and as structured content.

const hostileText = fc.oneof(
  fc.string({ maxLength: 40 }),
  fc.string({ unit: "binary", maxLength: 400 }),
  fc.constantFrom("", "\u0000".repeat(3_000), "\n".repeat(20_000), '"\\'.repeat(5_000), "😀".repeat(9_000)),
  fc.integer({ min: 0, max: 60_000 }).map((length) => "word ".repeat(length / 5)),
);
const id = fc.oneof(fc.uuid(), fc.string({ minLength: 1, maxLength: 256 }));
const time = fc.constantFrom(null, "2026-03-01T10:00:00.000Z");
const base = { id, parent_id: fc.constant(null), timestamp: time };

const block = fc.oneof(
  fc.record({ kind: fc.constantFrom("text", "thinking"), text: hostileText, redacted: fc.constant(false) }),
  fc.record({
    kind: fc.constant("tool_call"),
    id: fc.option(id),
    name: hostileText,
    arguments: fc.dictionary(
      fc.constantFrom("path", "file_path", "command", "input"),
      fc.oneof(hostileText, fc.json()),
    ),
  }),
  fc.constant({ kind: "image", mime_type: "image/png", data: "" }),
);
const blocks = fc.array(block, { maxLength: 4 });
const item = fc.oneof(
  fc.record({
    ...base,
    kind: fc.constant("message"),
    role: fc.constantFrom("user", "assistant", "system"),
    hidden: fc.boolean(),
    blocks,
    error_message: fc.option(hostileText),
  }),
  fc.record({
    ...base,
    kind: fc.constant("tool_result"),
    call_id: fc.option(id),
    tool_name: fc.option(hostileText),
    blocks,
    is_error: fc.boolean(),
  }),
  fc.record({
    ...base,
    kind: fc.constant("bash"),
    command: hostileText,
    output: hostileText,
    exit_code: fc.option(fc.nat(3)),
    cancelled: fc.boolean(),
  }),
) as unknown as fc.Arbitrary<TranscriptItem>;

const record = fc.record({
  id,
  path: fc.constant("/a.jsonl"),
  format: fc.constantFrom("pi", "claude-code"),
  title: hostileText,
  cwd: fc.option(hostileText),
  created_at: fc.constant("2026-03-01T10:00:00.000Z"),
  modified_at: fc.constant("2026-03-01T10:00:00.000Z"),
  message_count: fc.nat(),
  usage: fc.constant({ cost_usd: 1, estimated_cost_usd: null }),
  source: fc.constantFrom("file", "vault"),
  relation: fc.constantFrom(null, "subagent"),
  archived_at: time,
  models: fc.array(hostileText, { maxLength: 50 }),
  first_message: fc.option(hostileText),
}) as unknown as fc.Arbitrary<SessionRecord>;

const hit = fc.record({
  session_path: fc.constantFrom("/a.jsonl", "/b.jsonl", "/c.jsonl"),
  format: fc.constant("pi"),
  session_id: id,
  session_title: hostileText,
  cwd: fc.option(hostileText),
  entry_id: id,
  role: fc.constantFrom("user", null),
  kind: fc.constantFrom("text", "tool_call"),
  tool_name: fc.option(hostileText),
  timestamp: time,
  snippet: hostileText.map((text) => text.slice(0, 400)),
}) as unknown as fc.Arbitrary<SearchHit>;

interface Library {
  records: SessionRecord[];
  items: TranscriptItem[];
  hits: SearchHit[];
  cursor: string | null;
}

const library = fc.record({
  records: fc.array(record, { minLength: 1, maxLength: 8 }),
  items: fc.array(item, { maxLength: 12 }),
  hits: fc.array(hit, { maxLength: 12 }),
  cursor: fc.option(fc.integer({ min: 1, max: 4_000 }).map((length) => "c".repeat(length))),
});

/** Answers commands as the service would, with what a test makes up. */
function serving({ records, items, hits, cursor }: Library): SendCommand {
  return async (command, payload) => {
    const asked = payload as { limit?: number; after?: string; before?: string; leaf_id?: string };
    if (command === "list_sessions") return { sessions: records, total: records.length, next_cursor: cursor };
    if (command === "search") {
      return { hits, total: hits.length, total_is_exact: true, next_cursor: cursor, indexing: { done: 1, pending: 0 } };
    }
    const place = items.findIndex(({ id }) => id === (asked.after ?? asked.before ?? asked.leaf_id));
    const range =
      asked.after !== undefined
        ? items.slice(place + 1)
        : items.slice(0, asked.before !== undefined ? Math.max(0, place) : place < 0 ? undefined : place + 1);
    const shown = asked.after !== undefined ? range.slice(0, asked.limit) : range.slice(-(asked.limit ?? 200));
    return {
      items: shown,
      leaf_id: items.at(-1)?.id ?? null,
      total: items.length,
      has_more_before: shown[0] !== items[0],
      has_more_after: shown.at(-1) !== items.at(-1),
    };
  };
}

const context = (of: Library): McpContext => ({ send: serving(of), ownSession: null, redacts: true, now: Date.now });

describe.each(tools.map((tool) => [tool.name, tool] as const))("%s", (name, tool) => {
  it("keeps to its budget", async () => {
    const budget = fc.oneof(fc.integer({ min: 2_000, max: 4_000 }), fc.constantFrom(8_000, 50_000));
    await fc.assert(
      fc.asyncProperty(library, budget, fc.boolean(), async (of, max_chars, isAround) => {
        const ref = of.records[0]?.path ?? "";
        const around = isAround ? of.items[0]?.id : undefined;
        const args: Record<string, unknown> = {
          search_past_work: { query: "tide clock" },
          read_session: { ref, ...(around !== undefined && { around }) },
          list_sessions: {},
          sessions_of_file: { path: "src/app.ts" },
          get_session_summary: { ref },
        };
        const { text, data } = await tool
          .run({ ...(args[name] as object), max_chars }, context(of))
          .catch((error: Error) => ({ text: error.message, data: {} }));
        expect(text.length).toBeLessThanOrEqual(max_chars);
        expect(JSON.stringify(data).length).toBeLessThanOrEqual(max_chars);
      }),
      { numRuns: 60 },
    );
  });
});

it.each(["before", "after"])("read_session shows every entry once, by cursors %s", async (side) => {
  const records = fc.sample(record, 1).map((made) => ({ ...made, id: "long", title: "Long", cwd: null }));
  const items = Array.from({ length: 150 }, (_, index) => ({
    kind: "message",
    id: `e${index}`,
    role: "user",
    hidden: false,
    timestamp: null,
    error_message: null,
    blocks: [{ kind: "text", text: `entry ${index} ${"and so on ".repeat((index * 7) % 120)}` }],
  }));
  const of = { records, items, hits: [], cursor: null } as unknown as Library;
  const send = serving(of);
  let pages = 0;
  const counting: SendCommand = (command, payload) => {
    if (command === "read_transcript") pages++;
    return send(command, payload);
  };
  const shown: string[] = [];
  let answers = 0;
  for (let args: object | null = side === "before" ? {} : { after: "e0" }; args !== null; answers++) {
    const { data } = await readSession.run({ ref: "long", ...args }, { ...context(of), send: counting });
    const { entries, next_cursor } = data as { entries: { entry_id: string }[]; next_cursor?: string };
    const ids = entries.map(({ entry_id }) => entry_id);
    if (side === "before") shown.unshift(...ids);
    else shown.push(...ids);
    args = next_cursor === undefined ? null : { cursor: next_cursor };
  }
  expect(shown).toEqual(items.slice(side === "before" ? 0 : 1).map(({ id }) => id));
  expect(answers).toBeGreaterThan(5);
  // The state of the session, the entry that is named, and a page or two.
  expect(pages).toBeLessThanOrEqual(4 * answers);
});
