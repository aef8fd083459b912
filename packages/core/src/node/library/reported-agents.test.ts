import { rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { TestHome } from "./library.fixture.ts";

const ID = "6f0a2c44-7d0e-4c55-9a43-0d8c6a4f2b10";
const timestamp = "2026-03-01T10:00:00Z";

/** An answer as an agent writes it, and as its parent's client reports it while it grows. */
function answer(id: string, output: number) {
  const message = {
    ...{ id, role: "assistant", model: "claude-haiku-4-5", content: [{ type: "text", text: `work of ${id}` }] },
    usage: { input_tokens: 10, output_tokens: output },
  };
  return { type: "assistant", requestId: `req_${id}`, timestamp, message };
}

const reported = (id: string, output: number, uuid: string) => ({
  ...{ type: "progress", uuid, parentUuid: "p", timestamp, sessionId: ID, toolUseID: "t", parentToolUseID: "t" },
  data: { type: "agent_progress", agentId: "a1", message: answer(id, output) },
});

it("counts answers that an agent's progress reports once, and where its file is gone", async () => {
  await using home = await TestHome.create();
  const parent = await home.write(`p/${ID}.jsonl`, [
    { type: "user", uuid: "p", parentUuid: null, timestamp, message: { role: "user", content: "Start an agent" } },
    reported("m1", 1, "r1"),
    reported("m1", 6, "r2"),
    reported("m2", 7, "r3"),
  ]);
  const own = [answer("m1", 6), answer("m2", 9)].map((line, at) => ({
    ...{ ...line, uuid: `u${at}`, parentUuid: at === 0 ? null : "u0", isSidechain: true, agentId: "a1", sessionId: ID },
  }));
  const agent = await home.write(`p/${ID}/subagents/agent-a1.jsonl`, own);
  const library = await home.open({ watch: false });
  await library.scan();
  const counted = async () => {
    const { usage, subagent_usage, message_count } = await library.session(parent);
    return [usage.output_tokens, subagent_usage?.output_tokens ?? null, message_count];
  };
  expect(await counted()).toEqual([0, 15, 1]);
  await rm(agent);
  await library.scan();
  expect(await counted()).toEqual([13, null, 1]);
  await home.write(join("p", ID, "subagents", "agent-a1.jsonl"), own);
  await library.scan();
  expect(await counted()).toEqual([0, 15, 1]);
  const { items } = JSON.parse(new TextDecoder().decode(await library.transcriptJson({ path: parent, limit: 10 })));
  expect(items.slice(1)).toMatchObject([{ kind: "message", hidden: true, role: "client" }]);
});
