import type { SessionRecord } from "@sm/core";
import { expect, it } from "vitest";
import type { SendCommand } from "./commands.ts";
import { findSession } from "./sessions.ts";

interface Listed {
  subagents?: "folded" | "all";
  query: string;
  limit: number;
}

/** A session with newer ones of its subagents, in a directory of its id. */
const parent = { id: "parent-1", path: "/parent-1.jsonl" } as SessionRecord;
const subagents = Array.from(
  { length: 60 },
  (_, index) => ({ id: `agent-${index}`, path: `/parent-1/subagents/agent-${index}.jsonl` }) as SessionRecord,
);

const send: SendCommand = async (_command, payload) => {
  const { subagents: which = "folded", query, limit } = payload as Listed;
  const all = [...(which === "all" ? subagents : []), parent];
  return { sessions: all.filter(({ id, path }) => `${id} ${path}`.includes(query)).slice(0, limit) };
};
const context = { send, ownSession: null, redacts: true, now: Date.now };

it.each([
  ["parent-1", "parent-1"],
  ["parent", "parent-1"],
  ["/parent-1.jsonl", "parent-1"],
  ["agent-7", "agent-7"],
  ["/parent-1/subagents/agent-41.jsonl", "agent-41"],
])("finds %s", async (session, id) => {
  expect(await findSession({ session, entry: null }, context)).toMatchObject({ id });
});

it.each([
  ["agent-", "Several sessions"],
  ["subagents", "No session has"],
])("does not find %s", async (session, message) => {
  await expect(findSession({ session, entry: null }, context)).rejects.toThrow(message);
});
