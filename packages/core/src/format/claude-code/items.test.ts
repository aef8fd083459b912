import { expect, it } from "vitest";
import { claudeItem } from "./items.ts";

const PLACE = { id: "1", parentId: null, role: "tool" } as const;

it.each([
  [{ status: "completed", agentId: "a75b7c6257b656276" }, ["agent-a75b7c6257b656276"]],
  [{ isAsync: true, status: "async_launched", agentId: "a9e0" }, ["agent-a9e0"]],
  [{ status: "completed", agentId: 7 }, []],
  ["Error: no such agent", []],
  [undefined, []],
])("the result %j names the session of the agent that was started", (toolUseResult, subagents) => {
  const content = [{ type: "tool_result", tool_use_id: "toolu_1", content: "done" }];
  const entry = {
    type: "user",
    uuid: "1",
    message: { role: "user", content },
    ...(toolUseResult && { toolUseResult }),
  };
  expect(claudeItem(entry, PLACE)).toMatchObject({ kind: "tool_result", call_id: "toolu_1", subagents });
});
