import { describe, expect, it } from "vitest";
import type { SendCommand } from "../commands.ts";
import { getSessionSummary } from "./get-session-summary.ts";

const base = { parent_id: null, timestamp: null };
const said = (id: string, role: string, blocks: object[]) => ({
  ...base,
  id,
  kind: "message",
  role,
  hidden: false,
  error_message: null,
  blocks,
});
const text = (length: number) => ({ kind: "text", text: "and so on ".repeat(length / 10) });

/** A session that changed many files, had many failed calls, and says much. */
const items = [
  said("e0", "user", [text(20_000)]),
  ...Array.from({ length: 60 }, (_, index) => [
    said(`call-${index}`, "assistant", [
      { kind: "tool_call", id: null, name: "write", arguments: { path: `src/some-folder/file-${index}.ts` } },
    ]),
    {
      ...base,
      id: `failed-${index}`,
      kind: "tool_result",
      call_id: null,
      tool_name: "bash",
      is_error: true,
      blocks: [text(1_000)],
    },
  ]).flat(),
  said("end", "assistant", [text(20_000)]),
];

/** @param end what IDs of entries end with. */
function summarize(args: object, end = "") {
  const record = {
    id: "long",
    path: "/long.jsonl",
    format: "pi",
    title: "Long",
    cwd: null,
    created_at: "2026-03-01T10:00:00.000Z",
    modified_at: "2026-03-01T10:00:00.000Z",
    message_count: 1,
    usage: { cost_usd: 0, estimated_cost_usd: null },
    models: [],
    archived_at: null,
    first_message: null,
  };
  const send: SendCommand = async (command, payload) => {
    if (command === "list_sessions") return { sessions: [record] };
    const { before, limit } = payload as { before?: string; limit: number };
    const until = before === undefined ? items.length : items.findIndex(({ id }) => id + end === before);
    const page = items.slice(Math.max(0, until - limit), until).map((item) => ({ ...item, id: item.id + end }));
    return { items: page, has_more_before: until > limit };
  };
  return getSessionSummary.run({ ref: "long", ...args }, { send, ownSession: null, redacts: true, now: Date.now });
}

describe("get_session_summary", () => {
  it.each([2_000, 3_000, 8_000, 50_000])("has all parts in %d characters", async (max_chars) => {
    const { text, data } = await summarize({ max_chars });
    const parts = (data.parts as { part: string }[]).map(({ part }) => part);
    expect(parts).toEqual(["first_prompt", "outcome", "changed_files", "failed_calls"]);
    expect(text.length).toBeLessThanOrEqual(max_chars);
    expect(text).not.toContain("Left out");
  });

  it("names the parts that have no room", async () => {
    const { text, data } = await summarize({ max_chars: 2_000 }, "i".repeat(900));
    const { parts, left_out } = data as { parts: { part: string }[]; left_out: string[] };
    expect([...parts.map(({ part }) => part), ...left_out].toSorted()).toEqual(
      ["first_prompt", "outcome", "changed_files", "failed_calls"].toSorted(),
    );
    expect(left_out).not.toEqual([]);
    expect(text).toContain(`Left out: ${left_out.join(", ").replaceAll("_", " ")}; raise max_chars.`);
  });
});
