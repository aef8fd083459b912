import type { MessageItem, ToolResultItem } from "@sm/core";
import { piItem } from "@sm/core";
import { describe, expect, it } from "vitest";
import { quietTail } from "./reading-run.ts";

const call = (id: string, name: string) => ({ type: "toolCall", id, name, arguments: {} });
const text = (text: string) => ({ type: "text", text });
const thought = { type: "thinking", thinking: "hm" };

function message(content: object[], fields: object = {}): MessageItem {
  const item = piItem(
    { type: "message", message: { role: "assistant", content, ...fields } as never },
    { id: "m", parentId: null },
  );
  if (item.kind !== "message") throw new Error("It is no message.");
  return item;
}

function result(toolCallId: string, isError = false): ToolResultItem {
  const item = piItem(
    { type: "message", message: { role: "toolResult", toolCallId, toolName: "read", content: [], isError } },
    { id: `of ${toolCallId}`, parentId: null },
  );
  if (item.kind !== "tool_result") throw new Error("It is no result.");
  return item;
}

const tail = (item: MessageItem, ...results: ToolResultItem[]) => {
  const found = quietTail(item, results);
  return found === null ? null : [found.from, found.calls.map(({ id }) => id)];
};

describe("quietTail", () => {
  it("takes calls that only look, with what is thought before them", () => {
    const item = message([text("I look."), thought, call("a", "read"), text(" "), call("b", "Grep")]);
    expect(tail(item, result("a"), result("b"))).toEqual([1, ["a", "b"]]);
    expect(tail(message([thought]))).toEqual([0, []]);
  });

  it("leaves out what changes something, has failed, or has no result yet", () => {
    expect(tail(message([call("a", "edit")]), result("a"))).toBeNull();
    expect(tail(message([call("a", "read")]), result("a", true))).toBeNull();
    expect(tail(message([call("a", "read")]))).toBeNull();
    expect(tail(message([call("a", "read"), call("b", "search_replace")]), result("a"), result("b"))).toBeNull();
    expect(tail(message([call("b", "write"), call("a", "list_dir")]), result("a"), result("b"))).toEqual([1, ["a"]]);
  });

  it("leaves out messages that end with a word on how they did", () => {
    expect(tail(message([call("a", "read")], { stopReason: "aborted" }), result("a"))).toBeNull();
    expect(tail(message([call("a", "read")], { stopReason: "toolUse" }), result("a"))).toEqual([0, ["a"]]);
  });
});
