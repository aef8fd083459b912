import type { SessionRecord } from "@sm/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type RealService, startRealService } from "../real-service.ts";
import { type AgentLibrary, startAgentLibrary } from "./agent-library.ts";
import { AGENT_VERSIONS } from "./real-agent.ts";

const NAME = 'A new name: “会議” \u2028 \\ "quoted"';

const entry = (id: string, parentId: string | null, type: string, fields: object) => ({
  type,
  id,
  parentId,
  timestamp: "2026-03-01T10:00:00.000Z",
  ...fields,
});
const message = (id: string, parentId: string | null, role: string, text: string) =>
  entry(id, parentId, "message", {
    message: { role, content: [{ type: "text", text }], provider: "p", model: "m", timestamp: 1 },
  });

/** A question with two answers, of which the second is the newest; the first has a label. */
const BRANCHED = [
  { type: "session", version: 3, id: "branched-in-two", timestamp: "2026-03-01T10:00:00.000Z", cwd: "/home/user" },
  message("q", null, "user", "question"),
  message("a1", "q", "assistant", "first answer"),
  message("u1", "a1", "user", "thanks"),
  entry("l1", "u1", "label", { targetId: "a1", label: "kept" }),
  message("a2", "q", "assistant", "second answer"),
];

/** As the first version wrote it: no ids, no parents. */
const SEQUENCE = BRANCHED.map((line) => {
  const { id: _, parentId: __, version: ___, ...rest } = line as Record<string, unknown>;
  return line === BRANCHED[0] ? { ...rest, id: "a-sequence" } : rest;
}).filter(({ type }) => type !== "label");

describe("what the service has written", () => {
  let service: RealService;
  let renamed: string;
  let sequence: string;
  let first: SessionRecord;
  let second: SessionRecord;

  beforeAll(async () => {
    service = await startRealService();
    renamed = await service.home.add("two-branches", BRANCHED);
    sequence = await service.home.add("sequence", SEQUENCE);
    await service.settled();
    first = await service.ask<SessionRecord>("fork_session", { path: renamed, entry_id: "u1" });
    second = await service.ask<SessionRecord>("fork_session", { path: renamed });
    for (const path of [renamed, sequence]) await service.ask("rename_session", { path, name: NAME });
  });
  afterAll(() => service?.[Symbol.asyncDispose]());

  describe.each(AGENT_VERSIONS)("is opened by agent %s", (version) => {
    let agent: AgentLibrary;
    beforeAll(async () => {
      agent = await startAgentLibrary(version);
    });
    afterAll(() => agent?.[Symbol.asyncDispose]());

    it("with the name of a renamed session, below its newest branch", async () => {
      const opened = await agent.open(renamed);
      expect(opened).toMatchObject({ name: NAME, messages: ["question", "second answer"], labels: { a1: "kept" } });
      expect(opened.branch.slice(0, 2)).toEqual(["q", "a2"]);
      expect(opened.branch.at(-1)).toBe(opened.leaf);
    });

    it("with the name of one of the first version", async () => {
      const messages = ["question", "first answer", "thanks", "second answer"];
      expect(await agent.open(sequence)).toMatchObject({ name: NAME, messages });
    });

    it("with the branch of a fork, its labels and where it comes from", async () => {
      expect(await agent.open(first.path)).toMatchObject({
        parent: renamed,
        leaf: expect.any(String),
        messages: ["question", "first answer", "thanks"],
        labels: { a1: "kept" },
      });
      expect(await agent.open(second.path)).toMatchObject({
        parent: renamed,
        branch: ["q", "a2"],
        messages: ["question", "second answer"],
        labels: {},
      });
    });
  });
});
