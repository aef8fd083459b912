import { EventEmitter, once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Inbox } from "./inbox.ts";

/** What the agent has asked the model. */
export interface ModelRequest {
  model: string;
  /** The newest message of the user. */
  prompt: string;
  /** What a tool has returned, where that is the newest message. */
  toolResult: string | null;
  /** All messages, each with its role before it and the names of the tools that it calls behind it. */
  conversation: string[];
}

/** A model on loopback that does what the prompt says, so that the real agent runs without a real one. */
export interface FakeModel extends AsyncDisposable {
  /** The content of the agent's models.json: `fake/fake-1`, which thinks, and `fake/fake-2`, which does not. */
  config: object;
  requests: Inbox<ModelRequest>;
  /** Lets the answers to `hold` that wait come to their end. */
  release(): void;
}

type Delta = { content: string } | { reasoning_content: string } | { tool_calls: object[] };

/**
 * Starts the model. It understands, as the first word of a prompt:
 *
 * - `run COMMAND`: thinks, calls the tool `bash`, and says what that returned
 * - `ask QUESTION`: calls the tool `ask`, and says what that returned
 * - `recall QUESTION`: asks the MCP server `sessions`, reads around the first reference, and says what that returned
 * - `count N`: says the numbers up to N, one a chunk
 * - `hold`: says one word, and the other when it is released
 * - `fail`: answers with an error that the agent does not try again
 *
 * Everything else is repeated.
 */
export async function startFakeModel(): Promise<FakeModel> {
  const requests = new Inbox<ModelRequest>();
  const held = new EventEmitter();

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const asked = readRequest(await text(request));
    requests.push(asked);
    if (asked.prompt === "fail") {
      response.writeHead(400, { "Content-Type": "application/json" });
      response.end(
        JSON.stringify({ error: { message: "The model was told to fail.", type: "invalid_request_error" } }),
      );
      return;
    }
    response.writeHead(200, { "Content-Type": "text/event-stream" });
    const send = (chunk: object) => response.write(`data: ${JSON.stringify({ id: "answer", ...chunk })}\n\n`);
    let finish = "stop";
    for await (const delta of deltas(asked, held)) {
      if ("tool_calls" in delta) finish = "tool_calls";
      send({ choices: [{ index: 0, delta }] });
    }
    send({ choices: [{ index: 0, delta: {}, finish_reason: finish }] });
    send({ choices: [], usage: { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 } });
    response.end("data: [DONE]\n\n");
  };

  const server = createServer((request, response) => {
    answer(request, response).catch((error) => response.destroy(error));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    config: {
      providers: {
        fake: {
          baseUrl: `http://127.0.0.1:${port}/v1`,
          api: "openai-completions",
          apiKey: "dummy",
          compat: { supportsDeveloperRole: false, supportsReasoningEffort: false, supportsStore: false },
          models: [
            { id: "fake-1", name: "Fake One", reasoning: true, input: ["text", "image"] },
            { id: "fake-2", name: "Fake Two", reasoning: false, input: ["text"] },
          ],
        },
      },
    },
    requests,
    release: () => held.emit("release"),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

async function* deltas({ prompt, toolResult }: ModelRequest, held: EventEmitter): AsyncGenerator<Delta> {
  const [, order = "", rest = ""] = /^(\S*)\s*(.*)$/s.exec(prompt) ?? [];
  const [, ref] = (order === "recall" && /^- (\S+#\S+) /m.exec(toolResult ?? "")) || [];
  if (ref !== undefined) return yield* call("mcp__sessions__read_session", { ref });
  if (toolResult !== null) return yield* words(`It said: ${toolResult.trim()}`);
  switch (order) {
    case "run":
      yield { reasoning_content: "The user wants " };
      yield { reasoning_content: "a command." };
      yield* words("I run it.");
      return yield* call("bash", { command: rest });
    case "ask":
      return yield* call("ask", { question: rest });
    case "recall":
      return yield* call("mcp__sessions__search_past_work", { query: rest });
    case "count":
      return yield* words(Array.from({ length: Number(rest) }, (_, place) => place + 1).join(" "));
    case "hold": {
      const released = once(held, "release");
      yield { content: "Waiting " };
      await released;
      return yield { content: "no more." };
    }
    default:
      return yield* words(`You said: ${prompt}`);
  }
}

function* words(sentence: string): Generator<Delta> {
  for (const [word] of sentence.matchAll(/\S+\s*/g)) yield { content: word };
}

let calls = 0;

/** A call of a tool, whose arguments come in two pieces. */
function* call(name: string, parameters: object): Generator<Delta> {
  const json = JSON.stringify(parameters);
  const id = `call-${++calls}`;
  yield { tool_calls: [{ index: 0, id, type: "function", function: { name, arguments: json.slice(0, 5) } }] };
  yield { tool_calls: [{ index: 0, function: { arguments: json.slice(5) } }] };
}

interface ChatMessage {
  role: string;
  content: string | { type: string; text?: string }[] | null;
  tool_calls?: { function: { name: string } }[];
}

function readRequest(body: string): ModelRequest {
  const { model, messages } = JSON.parse(body) as { model: string; messages: ChatMessage[] };
  const last = messages.at(-1);
  const user = messages.findLast(({ role }) => role === "user");
  const conversation = messages.map((message) => {
    const calls = (message.tool_calls ?? []).map((call) => ` [${call.function.name}]`);
    return `${message.role}: ${textOf(message)}${calls.join("")}`;
  });
  return { model, prompt: textOf(user), toolResult: last?.role === "tool" ? textOf(last) : null, conversation };
}

function textOf(message: ChatMessage | undefined): string {
  const content = message?.content ?? "";
  return typeof content === "string" ? content : content.map(({ text = "" }) => text).join("");
}

async function text(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
