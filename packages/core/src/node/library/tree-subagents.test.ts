import { expect, it } from "vitest";
import { TestHome, treeOf } from "./library.fixture.ts";

const ID = "6f0a2c44-7d0e-4c55-9a43-0d8c6a4f2b10";

const started = (uuid: string, parentUuid: string | null, agentId: string) => ({
  ...{ type: "user", uuid, parentUuid, timestamp: "2026-03-01T10:00:00Z" },
  message: { role: "user", content: [{ type: "tool_result", tool_use_id: `t${uuid}`, content: "Done." }] },
  toolUseResult: { agentId },
});

const agent = (agentId: string, text: string) => [
  {
    ...{ type: "user", uuid: `${agentId}1`, parentUuid: null, isSidechain: true, agentId, sessionId: ID },
    ...{ timestamp: "2026-03-01T10:00:00Z", message: { role: "user", content: text } },
  },
];

it("tells the sessions of agents at the calls that have started them", async () => {
  await using home = await TestHome.create();
  const lines = [started("a", null, "one"), started("b", "a", "gone"), started("c", "b", "two")];
  const path = await home.write(`p/${ID}.jsonl`, lines);
  const nested = [...agent("one", "First task"), started("n", "one1", "two")];
  const one = await home.write(`p/${ID}/subagents/agent-one.jsonl`, nested);
  const two = await home.write(`p/${ID}/subagents/agent-two.jsonl`, agent("two", "Second task"));
  const library = await home.open({ watch: false });
  await library.scan();
  await library.rename(two, "The second");
  const linksOf = async (session: string) => {
    return (await treeOf(library, session)).map(({ id, subagents }) => [id, subagents?.map((found) => found.path)]);
  };
  expect(await linksOf(path)).toEqual([
    ["a", [one]],
    ["b", undefined],
    ["c", [two]],
  ]);
  expect(await linksOf(one)).toEqual([
    ["one1", undefined],
    ["n", [two]],
  ]);
  const [first] = await treeOf(library, path);
  const cost = { cost_usd: null, estimated_cost_usd: null };
  expect(first?.subagents).toEqual([
    { path: one, id: "agent-one", title: "First task", format: "claude-code", ...cost },
  ]);
  expect((await treeOf(library, path))[2]?.subagents?.[0]?.title).toBe("The second");
});
