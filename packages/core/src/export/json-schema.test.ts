import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { schemaProblems } from "../node/library/json-schema.fixture.ts";
import { anyLine } from "../session/any-line.fixture.ts";
import { openTranscript } from "../session/open-transcript.ts";
import { exportJson } from "./json-export.ts";
import { called, joined, noted, ran, returned, said, summarised, transcriptOf } from "./transcript.fixture.ts";

const ALL = { include_thinking: true, include_tools: true };

describe("the schema of the JSON export", () => {
  const transcript = transcriptOf([
    said("user", ["a", { kind: "image", mime_type: "image/png", data: "aGk=" }]),
    said("assistant", [{ kind: "thinking", text: "hm", redacted: false }, called("c", "read", { path: "/a" })]),
    returned("c", "b", { details: { diff: "+1" } }),
    ran("ls", "a"),
    summarised("compaction", "b"),
    noted("label"),
  ]);

  it("holds for every kind of message, redacted or not", async () => {
    expect(schemaProblems(await joined(exportJson(transcript, ALL)))).toEqual([]);
    const notes = { session: "a", entries: new Map([["00000001", "b"]]), bookmarks: new Set(["00000001"]) };
    expect(schemaProblems(await joined(exportJson({ ...transcript, notes }, ALL)))).toEqual([]);
    const redactions = () => [{ type: "email", count: 2 }];
    expect(schemaProblems(await joined(exportJson({ ...transcript, redactions }, ALL)))).toEqual([]);
  });

  it("holds whatever the lines of a session are", async () => {
    const header = { type: "session", version: 3, id: "s", timestamp: "2026-03-01T10:00:00.000Z" };
    await fc.assert(
      fc.asyncProperty(fc.array(anyLine, { maxLength: 15 }), async (lines) => {
        const text = [header, ...lines].map((line) => JSON.stringify(line)).join("\n");
        const opened = await openTranscript(new TextEncoder().encode(text), { order: "file" });
        expect(schemaProblems(await joined(exportJson(opened, ALL)))).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });

  it.each<[string, (document: { messages: Record<string, unknown>[]; [field: string]: unknown }) => void]>([
    ["no session id", (document) => delete document.session_id],
    ["a message without a role", ({ messages: [first] }) => delete first?.role],
    ["a role that is none", ({ messages: [first] }) => Object.assign(first ?? {}, { role: "nobody" })],
    ["content that is no text", ({ messages: [first] }) => Object.assign(first ?? {}, { content: null })],
    ["a part of no kind", ({ messages: [first] }) => Object.assign(first ?? {}, { parts: [{ text: "a" }] })],
    ["a result without its tool", ({ messages }) => delete messages[2]?.tool_name],
    ["redactions that are not counted", (document) => Object.assign(document, { redactions: [{ type: "email" }] })],
  ])("refuses %s", async (_, spoil) => {
    const document = JSON.parse(await joined(exportJson(transcript, ALL)));
    spoil(document);
    expect(schemaProblems(JSON.stringify(document))).not.toEqual([]);
  });

  it("lets fields be added", async () => {
    const document = JSON.parse(await joined(exportJson(transcript, ALL)));
    Object.assign(document, { more: 1 });
    Object.assign(document.messages[0], { more: 1 });
    expect(schemaProblems(JSON.stringify(document))).toEqual([]);
  });
});
