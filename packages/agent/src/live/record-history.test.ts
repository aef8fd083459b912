import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { AgentRecord } from "./agent-record.ts";
import { RecordHistory } from "./record-history.ts";

const typesOf = (history: RecordHistory, after: number | null = null) =>
  history.after(after).entries.map(({ seq, event }) => `${seq} ${String(event.type)}`);

function filled(
  records: readonly AgentRecord[],
  limits?: ConstructorParameters<typeof RecordHistory>[0],
): RecordHistory {
  const history = new RecordHistory(limits);
  for (const record of records) history.add({ record, bytes: 10 });
  return history;
}

const update = { type: "message_update" };
const endOfAnswer = { type: "message_end", message: { role: "assistant" } };

describe("RecordHistory", () => {
  it("numbers from one, and answers what came after a number", () => {
    const history = filled([{ type: "a" }, { type: "b" }, { type: "c" }]);
    expect(typesOf(history, 1)).toEqual(["2 b", "3 c"]);
    expect(history.after(3)).toEqual({ entries: [], next_seq: 3, has_gap: false });
    expect(history.after(null).entries[0]?.timestamp).toMatch(/^\d{4}-.*Z$/);
  });

  it("answers all to a number that is not its own", () => {
    expect(typesOf(filled([{ type: "a" }]), 100)).toEqual(["1 a"]);
  });

  it("forgets deltas with the end of their message", () => {
    const history = filled([{ type: "message_start" }, update, update]);
    expect(typesOf(history)).toEqual(["1 message_start", "2 message_update", "3 message_update"]);
    history.add({ record: { type: "message_end", message: { role: "custom" } }, bytes: 1 });
    expect(typesOf(history, 2)).toEqual(["3 message_update", "4 message_end"]);
    history.add({ record: endOfAnswer, bytes: 1 });
    expect(typesOf(history)).toEqual(["1 message_start", "4 message_end", "5 message_end"]);
  });

  it("keeps the newest of each state, and none of a tool that has ended", () => {
    const output = (toolCallId: string) => ({ type: "tool_execution_update", toolCallId, partialResult: {} });
    const status = (statusKey: string) => ({ type: "extension_ui_request", method: "setStatus", statusKey });
    const history = filled([output("1"), output("2"), output("1"), status("a"), status("b"), status("a")]);
    expect(typesOf(history).map((one) => one.split(" ")[0])).toEqual(["2", "3", "5", "6"]);
    history.add({ record: { type: "tool_execution_end", toolCallId: "1" }, bytes: 1 });
    expect(typesOf(history)[0]).toBe("2 tool_execution_update");
    expect(typesOf(history)).toHaveLength(4);
  });

  it("stays within its limits whatever comes, and keeps the newest", () => {
    const limits = { entries: 20, bytes: 1_000, deltas: 10 };
    const record = fc.oneof(
      fc.constantFrom(update, endOfAnswer, { type: "queue_update" }, { type: "a" }),
      fc.record({
        type: fc.constantFrom("tool_execution_update", "tool_execution_end"),
        toolCallId: fc.constantFrom("1", "2"),
        partialResult: fc.constant({}),
      }),
    );
    const entry = fc.record({ record, bytes: fc.integer({ min: 1, max: 400 }) });
    fc.assert(
      fc.property(fc.array(entry, { minLength: 1, maxLength: 100 }), (added) => {
        const history = new RecordHistory(limits);
        for (const one of added) history.add(one);
        const kept = history.records;
        const { entries, next_seq } = history.after(null);
        expect(next_seq).toBe(added.length);
        expect(entries.map(({ seq }) => seq)).toEqual([...entries.map(({ seq }) => seq)].sort((a, b) => a - b));
        expect(kept.length).toBeLessThanOrEqual(limits.entries);
        expect(kept.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThanOrEqual(limits.bytes);
        expect(kept.filter((one) => one.record === update).length).toBeLessThanOrEqual(limits.deltas);
        expect(entries.at(-1)?.seq).toBe(added.length);
      }),
    );
  });

  it("tells of a gap where what came after a number is gone, not where a record was replaced", () => {
    const history = filled([{ type: "a" }, { type: "b" }, { type: "c" }, { type: "d" }], {
      entries: 2,
      bytes: 1_000,
      deltas: 5,
    });
    expect([null, 0, 1, 2, 3, 4].map((after) => history.after(after).has_gap)).toEqual([
      true,
      true,
      true,
      false,
      false,
      false,
    ]);
    const queue = { type: "queue_update" };
    expect(filled([queue, queue, update, endOfAnswer]).after(0).has_gap).toBe(false);
  });

  it("keeps a record that is larger than all it may have", () => {
    const history = filled([{ type: "a" }], { entries: 5, bytes: 100, deltas: 5 });
    history.add({ record: { type: "b" }, bytes: 1_000 });
    expect(typesOf(history)).toEqual(["2 b"]);
  });
});
