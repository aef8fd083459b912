import type { JsonObject } from "../../json.ts";
import type { Corpus } from "../corpus.fixture.ts";

let count = 0;

function entry(fields: JsonObject): JsonObject {
  const id = (++count).toString(16).padStart(8, "0");
  const parentId = count === 1 ? null : (count - 1).toString(16).padStart(8, "0");
  const timestamp = new Date(Date.UTC(2026, 10, 1, 10, 0, count)).toISOString();
  return { type: "message", id, parentId, timestamp, ...fields };
}

const usage = { input: 10, output: 5, cacheRead: 100, cacheWrite: 20, totalTokens: 135, cost: { total: 0.25 } };

export const piCorpus: Corpus = {
  lines: [
    { type: "session", version: 3, id: "5b8a3c1e-1", timestamp: "2026-11-01T10:00:00.000Z", cwd: "/home/pi/work" },
    entry({ type: "model_change", provider: "anthropic", modelId: "claude-opus-4-5" }),
    entry({ message: { role: "user", content: [{ type: "text", text: "Where is the firstprompt?\nTell me." }] } }),
    entry({
      message: {
        role: "assistant",
        provider: "anthropic",
        model: "claude-opus-4-5",
        content: [
          { type: "thinking", thinking: "A firstthought." },
          { type: "text", text: "I look at the firstanswer." },
          {
            type: "toolCall",
            id: "c1",
            name: "edit",
            arguments: { path: "src/firstfile.ts", edits: ["firstargument"] },
          },
          { type: "toolCall", id: "c2", name: "bash", arguments: { command: "ls secondargument" } },
        ],
        usage,
      },
    }),
    entry({
      message: {
        role: "toolResult",
        toolCallId: "c1",
        toolName: "edit",
        content: [{ type: "text", text: "A firstresult" }],
        details: { diff: "-1 old\n+1 new" },
      },
    }),
    entry({
      message: { role: "toolResult", toolCallId: "c2", toolName: "bash", content: "Exit code 1", isError: true },
    }),
    entry({ message: { role: "bashExecution", command: "echo firstcommand", output: "firstoutput", exitCode: 0 } }),
    entry({ type: "compaction", summary: "A firstsummary", firstKeptEntryId: "00000002" }),
    entry({ type: "label", targetId: "00000002", label: "firstlabel" }),
    entry({ type: "session_info", name: "firstname" }),
    entry({ message: { role: "user", content: "Go on, secondprompt." } }),
    entry({
      message: { role: "assistant", model: "claude-opus-4-5", content: [{ type: "text", text: "Done." }], usage },
    }),
  ],
  found: {
    entries: 11,
    messages: 7,
    prompts: 2,
    answers: 2,
    calls: 2,
    usage: [20, 10, 200, 40],
    title: "firstname",
    words: [
      ..."firstprompt secondprompt firstanswer firstthought firstargument secondargument firstfile".split(" "),
      ..."firstresult firstcommand firstoutput firstsummary firstlabel firstname".split(" "),
    ],
  },
  foreign: [],
  fixtures: ["pi"],
};
