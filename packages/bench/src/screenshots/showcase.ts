import type { EntryBody, ToolCallBlock } from "../corpus/entry.ts";
import { MODELS, usageOf } from "../corpus/model.ts";

type Content = Extract<Extract<EntryBody, { type: "message" }>["message"], { role: "assistant" }>["content"];

const [SONNET] = MODELS;

export function said(text: string, time: number): EntryBody {
  return { type: "message", message: { role: "user", content: [{ type: "text", text }], timestamp: time } };
}

/** @param model one of `MODELS`; what it cost follows from how much was `read`. */
export function answered(content: Content, time: number, read = 9_000, model = SONNET): EntryBody {
  if (model === undefined) throw new Error("There is no model.");
  const usage = usageOf(model, { input: 1_200, output: 640, cacheRead: read, cacheWrite: 1_800 });
  const stopReason = content.some(({ type }) => type === "toolCall") ? "toolUse" : "stop";
  const { api, provider, model: name } = model;
  return {
    type: "message",
    message: {
      ...{ role: "assistant", content, api, provider, model: name, usage, stopReason },
      ...{ timestamp: time, responseId: `response-${time}` },
    },
  };
}

export function calls(id: string, name: string, parameters: ToolCallBlock["arguments"]): ToolCallBlock {
  return { type: "toolCall", id, name, arguments: parameters };
}

export function returned(toolCallId: string, toolName: string, text: string, time: number, diff?: string): EntryBody {
  const details = diff === undefined ? {} : { details: { diff, firstChangedLine: 12 } };
  const content = [{ type: "text" as const, text }];
  return {
    type: "message",
    message: { role: "toolResult", toolCallId, toolName, content, ...details, isError: false, timestamp: time },
  };
}

const QUEUE = `import { readPart, type Upload } from "./upload.ts";

/** Sends the parts of an upload, one after the other. */
export async function sendAll(upload: Upload, send: Send): Promise<void> {
  for (const part of upload.parts) {
    await send(await readPart(part));
  }
}
`;

const DIFF = `  4 /** Sends the parts of an upload, one after the other. */
- 5 export async function sendAll(upload: Upload, send: Send): Promise<void> {
+ 5 export async function sendAll(upload: Upload, send: Send, retry: Retry = usual): Promise<void> {
  6   for (const part of upload.parts) {
- 7     await send(await readPart(part));
+ 7     await withRetry(() => send(readPart(part)), retry);
  8   }
  9 }`;

const TESTS = `\u001b[1m\u001b[30m\u001b[46m RUN \u001b[49m\u001b[39m\u001b[22m v4.1.12

 \u001b[32m✓\u001b[39m src/uploads/retry.test.ts \u001b[2m(6 tests)\u001b[22m \u001b[32m41ms\u001b[39m
 \u001b[32m✓\u001b[39m src/uploads/queue.test.ts \u001b[2m(11 tests)\u001b[22m \u001b[32m128ms\u001b[39m

\u001b[2m Test Files \u001b[22m \u001b[1m\u001b[32m2 passed\u001b[39m\u001b[22m
\u001b[2m      Tests \u001b[22m \u001b[1m\u001b[32m17 passed\u001b[39m\u001b[22m`;

const CONCLUSION = `Uploads are retried now, and **a part that has arrived is never sent twice**.

| attempt | waits | at most |
| --- | --- | --- |
| 1 | 0 s | 0 s |
| 2 | 0.5 s | 1 s |
| 3 | 1 s | 2 s |
| 4 | 2 s | 4 s |

The heart of it is a dozen lines:

\`\`\`ts
export async function withRetry<T>(run: () => Promise<T>, retry: Retry): Promise<T> {
  const { attempts, baseMs, random } = retry;
  for (let attempt = 1; ; attempt++) {
    try {
      return await run();
    } catch (error) {
      if (attempt === attempts || !isPassing(error)) throw error;
      await sleep(baseMs * 2 ** (attempt - 1) * (0.5 + random() / 2));
    }
  }
}
\`\`\`

- \`isPassing\` takes timeouts, resets and \`503\`, and nothing else.
- The pause is random by half, so that a thousand clients do not come back at once.`;

/** The session that is shown: two ways to the same end, of which the second was taken. */
export function tellShowcase(append: (body: EntryBody) => string, goTo: (id: string) => void, start: number): void {
  let minutes = 0;
  const now = () => start + ++minutes * 60_000;
  append({ type: "model_change", provider: "anthropic", modelId: "claude-sonnet-4-5" });
  append(said("Uploads fail for good when the network blinks. Retry them, with **exponential backoff**.", now()));
  append(
    answered(
      [
        {
          type: "thinking",
          thinking:
            "The queue sends parts one after the other and gives up at the first error. Before I change it I should know which errors pass, and whether sending a part twice does harm.",
          thinkingSignature: "",
        },
        { type: "text", text: "I look at how parts are sent at the moment." },
        calls("call-1", "read", { path: "src/uploads/queue.ts" }),
        calls("call-2", "bash", { command: "rg -n 'sendAll\\(' src | head" }),
      ],
      now(),
    ),
  );
  append(returned("call-1", "read", QUEUE, now()));
  const read = append(
    returned(
      "call-2",
      "bash",
      "src/uploads/queue.ts:5:export async function sendAll(\nsrc/uploads/index.ts:31:  await sendAll(upload, send);",
      now(),
    ),
  );
  append(
    answered(
      [{ type: "text", text: "A library does it: `p-retry` around the whole upload is one line. Shall I add it?" }],
      now(),
      14_000,
    ),
  );
  const aside = append(
    said("That would send parts again that have arrived. Retry each part, without a dependency.", now()),
  );
  goTo(read);
  append({
    type: "branch_summary",
    fromId: aside,
    summary: "A dependency that retries the whole upload was considered and turned down: parts would be sent twice.",
  });
  append(said("Retry each part by itself, without a dependency. Tests first, please.", now()));
  append(
    answered(
      [
        { type: "text", text: "The tests describe when it gives up; then the queue takes a `Retry`." },
        calls("call-3", "edit", {
          path: "src/uploads/queue.ts",
          edits: [
            {
              oldText: "    await send(await readPart(part));",
              newText: "    await withRetry(() => send(readPart(part)), retry);",
            },
          ],
        }),
      ],
      now(),
      21_000,
    ),
  );
  append(returned("call-3", "edit", "Successfully replaced text in src/uploads/queue.ts.", now(), DIFF));
  append(answered([calls("call-4", "bash", { command: "npx vitest run src/uploads" })], now(), 26_000));
  append(returned("call-4", "bash", TESTS, now()));
  const last = append(answered([{ type: "text", text: CONCLUSION }], now(), 31_000));
  append({ type: "label", targetId: last, label: "retries work" });
  append({ type: "session_info", name: "Retry uploads with exponential backoff" });
}
