import { describe, expect, it } from "vitest";
import { called, ran, returned, said } from "../export/transcript.fixture.ts";
import type { TranscriptBlock, TranscriptItem } from "../session/transcript.ts";
import { SessionWork } from "./session-work.ts";
import { textsOf } from "./texts.ts";

/** What was done in entries, which are added from the last to the first. */
function workOf(...items: TranscriptItem[]): SessionWork {
  const work = new SessionWork(textsOf({ redacts: true }, null));
  for (const item of items.toReversed()) work.add(item);
  return work;
}

const call = (id: string, name: string, args: Record<string, string | number>) =>
  said("assistant", [called(id, name, args)]);

describe("files", () => {
  it("are changed with the lines of the diffs that were recorded", () => {
    const work = workOf(
      call("1", "Read", { file_path: "/w/b.ts" }),
      returned("1", "text"),
      call("2", "Edit", { file_path: "/w/a.ts" }),
      returned("2", "done", { diff: "@@ -1 +1 @@\n-x\n+y" }),
      call("3", "Write", { file_path: "/w/new.ts", content: "one\ntwo\n" }),
      returned("3", "done"),
      call("4", "Edit", { file_path: "/w/a.ts" }),
      returned("4", "done", { diff: "+z" }),
    );
    expect([...work.changed]).toEqual([
      ["/w/a.ts", { calls: 2, added: 2, removed: 1 }],
      ["/w/new.ts", { calls: 1, added: 2, removed: 0 }],
    ]);
    expect([...work.read]).toEqual(["/w/b.ts"]);
  });

  it("are not changed by a call that failed, nor read only where they were changed", () => {
    const work = workOf(
      call("1", "Edit", { file_path: "/w/a.ts" }),
      returned("1", "no match", { is_error: true }),
      call("2", "Read", { file_path: "/w/c.ts" }),
      returned("2", "text"),
      call("3", "Edit", { file_path: "/w/c.ts" }),
      returned("3", "done"),
    );
    expect([...work.changed.keys()]).toEqual(["/w/c.ts"]);
    expect([...work.read]).toEqual([]);
  });

  it("of a patch are counted by the patch that is shown beside the call", () => {
    const patch = "```diff\n*** Begin Patch\n*** Update File: a.ts\n-x\n+y\n+z\n*** End Patch\n```";
    const block = {
      kind: "tool_call" as const,
      id: "1",
      name: "apply_patch",
      arguments: { files: ["a.ts"] },
    } satisfies TranscriptBlock;
    const work = workOf(said("assistant", [block, patch]), returned("1", "Success"));
    expect([...work.changed]).toEqual([["a.ts", { calls: 1, added: 2, removed: 1 }]]);
  });

  it("of a call of which two results tell are counted once", () => {
    const block = {
      kind: "tool_call" as const,
      id: "1",
      name: "apply_patch",
      arguments: { files: ["a.ts"] },
    } satisfies TranscriptBlock;
    const work = workOf(
      said("assistant", [block]),
      returned("1", "Success", { diff: "--- a.ts\n+++ a.ts\n+y" }),
      returned("1", "Success"),
    );
    expect([...work.changed]).toEqual([["a.ts", { calls: 1, added: 1, removed: 0 }]]);
  });
});

describe("failed calls", () => {
  it("say whether the command succeeded later", () => {
    const work = workOf(
      call("1", "bash", { command: "npm test" }),
      returned("1", "2 failed", { is_error: true }),
      call("2", "bash", { command: "npm run lint" }),
      returned("2", "1 problem", { is_error: true }),
      call("3", "bash", { command: "npm test " }),
      returned("3", "all passed"),
      ran("make", "", { exit_code: 2 }),
    );
    expect(work.failed.map(({ call, isMended }) => [call, isMended])).toEqual([
      ["make", false],
      ["bash: npm run lint", false],
      ["bash: npm test", true],
    ]);
    expect(work.failedCount).toBe(3);
  });

  it("show no secret", () => {
    const token = ["ghp", "0123456789abcdefghijklmnopqrstuvwxyz"].join("_");
    const work = workOf(
      call("1", "bash", { command: `curl -H "Authorization: Bearer ${token}" x` }),
      returned("1", `bad token ${token}`, { is_error: true }),
    );
    expect(JSON.stringify(work.failed)).not.toContain(token);
  });
});

it("a patch that is shown beside its call is no outcome", () => {
  const patch = "```diff\n*** Begin Patch\n+x\n*** End Patch\n```";
  const work = workOf(said("assistant", ["I patch it."]), said("assistant", [called("1", "apply_patch"), patch]));
  expect(work.outcome?.blocks).toEqual([{ kind: "text", text: "I patch it." }]);
});

it("the outcome is the last answer with a text, and the first prompt the user's", () => {
  const work = workOf(
    said("user", ["first"]),
    said("assistant", ["answer"]),
    said("user", ["last"]),
    call("1", "ls", {}),
  );
  expect([work.outcome, work.firstPrompt].map((item) => item?.blocks)).toEqual([
    [{ kind: "text", text: "answer" }],
    [{ kind: "text", text: "first" }],
  ]);
});
