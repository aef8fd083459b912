#!/usr/bin/env node
/**
 * The agent's RPC mode without an agent: what a prompt says is done (see PROMPTS). The environment tells how it behaves:
 * FAKE_AGENT_START as one of STARTS, FAKE_AGENT_VERSION as "0.74" (each delta with the whole message, no
 * agent_settled, few commands), "0.87" or "1.5" (tells what becomes of a prompt); without it, it is old but knows all
 * commands.
 */
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

const version = process.env.FAKE_AGENT_VERSION;
const isModern = version === "0.87" || version === "1.5";
const tellsDisposition = version === "1.5";
const args = process.argv.slice(2);
const argument = (name) => (args.includes(name) ? args[args.indexOf(name) + 1] : undefined);

const MODELS = ["fake/fake-1", "fake/fake-2", "other/fake-2"].map((name) => {
  const [provider, id] = name.split("/");
  return { provider, id, name: `${id} of ${provider}`, reasoning: id === "fake-1", contextWindow: 8_192 };
});

const given = argument("--session");
const header = given !== undefined && existsSync(given) ? JSON.parse(readFileSync(given, "utf8").split("\n")[0]) : null;
const sessionId = header?.id ?? randomUUID();
const sessionFile = given ?? join(process.env.PI_CODING_AGENT_DIR ?? ".", "sessions", "fake", `now_${sessionId}.jsonl`);

let model = MODELS.find(({ provider, id }) => `${provider}/${id}` === argument("--model")) ?? MODELS[0];
let thinkingLevel = "medium";
let sessionName;
/** The run that is under way; its `abort` ends it. */
let run = null;
let isDeaf = false;
const steering = [];
const followUp = [];
const dialogs = new Map();

const write = (record) => process.stdout.write(`${JSON.stringify(record)}\n`);
const respond = (command, data) =>
  write({ id: command.id, type: "response", command: command.type, success: true, data });
const refuse = (command, error) =>
  write({ id: command.id, type: "response", command: command.type, success: false, error });
const emitQueue = () => write({ type: "queue_update", steering, followUp });
const textOf = (text) => [{ type: "text", text }];
const USAGE = {
  ...{ input: 4_000, output: 96, cacheRead: 0, cacheWrite: 0, totalTokens: 4_096 },
  cost: { input: 0.01, output: 0.02, cacheRead: 0, cacheWrite: 0, total: 0.03 },
};

function say(role, text) {
  const message = { role, content: textOf(text), timestamp: Date.now() };
  write({ type: "message_start", message: role === "assistant" ? { ...message, content: [] } : message });
  if (role === "assistant") update({ type: "text_start", contentIndex: 0 }, "");
  return message;
}

function update(delta, soFar) {
  const partial = { role: "assistant", content: textOf(soFar) };
  if (isModern) write({ type: "message_update", usage: { output: 1 }, assistantMessageEvent: delta });
  else write({ type: "message_update", assistantMessageEvent: { ...delta, partial }, message: partial });
}

function stream(words) {
  let text = "";
  say("assistant", "");
  for (const word of words) {
    text += word;
    update({ type: "text_delta", contentIndex: 0, delta: word }, text);
  }
  update({ type: "text_end", contentIndex: 0, content: text }, text);
  const timestamp = Date.now();
  const message = { role: "assistant", content: textOf(text), stopReason: "stop", usage: USAGE, timestamp };
  write({ type: "message_end", message });
  save(message);
}

/** Entries that wait for the first answer: without one, the agent writes no file. */
const unsaved = [];
let lastEntryId = null;

function save(message) {
  lastEntryId ??= entries().at(-1)?.id ?? null;
  const id = randomUUID().slice(0, 8);
  unsaved.push({ type: "message", id, parentId: lastEntryId, timestamp: new Date().toISOString(), message });
  lastEntryId = id;
  if (message.role !== "assistant" && !existsSync(sessionFile)) return;
  if (!existsSync(sessionFile)) {
    mkdirSync(dirname(sessionFile), { recursive: true });
    const first = {
      type: "session",
      version: 3,
      id: sessionId,
      timestamp: new Date().toISOString(),
      cwd: process.cwd(),
    };
    writeFileSync(sessionFile, `${JSON.stringify(first)}\n`);
  }
  for (const entry of unsaved.splice(0)) appendFileSync(sessionFile, `${JSON.stringify(entry)}\n`);
}

function ask(method, extra) {
  const id = randomUUID();
  write({ type: "extension_ui_request", id, method, title: "A question", ...extra });
  return new Promise((resolve) => {
    dialogs.set(id, resolve);
    if (extra.timeout !== undefined) setTimeout(resolve, extra.timeout, { cancelled: true });
  });
}

const entries = () =>
  existsSync(sessionFile)
    ? readFileSync(sessionFile, "utf8")
        .trim()
        .split("\n")
        .slice(1)
        .map((line) => JSON.parse(line))
    : [];

const untilAborted = () => new Promise((_, reject) => (run.abort = () => reject(new Error("aborted"))));

const PROMPTS = {
  /** `stream COUNT`: an answer of as many words. */
  stream: (count) => stream(Array.from({ length: Number(count) }, (_, index) => `w${index} `)),
  /** `ask METHOD JSON`: asks, and says what the answer was. */
  async ask(method, extra = "{}") {
    const { id: _, type: __, ...answer } = await ask(method, JSON.parse(extra));
    stream([JSON.stringify(answer)]);
  },
  /** `environment NAMES`: says what these variables are. */
  environment(first, others = "") {
    stream([JSON.stringify([first, ...others.split(" ")].map((name) => process.env[name] ?? null))]);
  },
  async tool() {
    const tool = { toolCallId: "call-1", toolName: "bash" };
    write({ type: "tool_execution_start", ...tool, args: { command: "echo hi" } });
    for (const text of ["h", "hi"]) {
      write({ type: "tool_execution_update", ...tool, partialResult: { content: textOf(text) } });
    }
    write({ type: "tool_execution_end", ...tool, result: { content: textOf("hi") }, isError: false });
    stream(["It said hi."]);
  },
  async crash(code) {
    process.stderr.write("\u001b[31mError: something broke\u001b[39m\n", () => process.exit(Number(code)));
    await untilAborted();
  },
  garbage() {
    process.stdout.write('Hello\nnull\n[1]\n{"no":"type"}\n\n\u2028 {"half":\n');
    process.stdout.write(Buffer.from([0xff, 0xfe, 0x0a]));
    stream(["Sorry."]);
  },
  /** `long BYTES`: a record of that size; then its own end, which is as large. */
  long(bytes) {
    write({ type: "custom_event", text: "x".repeat(Number(bytes)) });
    run.messages = [{ role: "user", content: "y".repeat(Number(bytes)) }];
  },
  /** Writes an answer of so many characters, whose record is lost among other output. */
  lose(count) {
    const text = "z".repeat(Number(count));
    const timestamp = Date.now() + 1;
    process.stdout.write(`oops {"type":"message_end","message":"`);
    process.stdout.write("lost\n");
    save({ role: "assistant", content: textOf(text), timestamp });
  },
  /** Starts a program that runs on. */
  leave() {
    const { pid } = spawn("sleep", ["600"], { stdio: "ignore" });
    write({ type: "custom_event", pid });
  },
  async hang() {
    say("assistant", "");
    await untilAborted();
  },
  /** Neither its input nor a signal ends it. */
  deaf() {
    isDeaf = true;
    setInterval(() => {}, 60_000);
    return untilAborted();
  },
};

async function work(message) {
  const messages = [];
  run = { abort() {}, messages };
  write({ type: "agent_start" });
  for (let next = message; next !== undefined; next = takeQueued()) {
    write({ type: "turn_start" });
    const prompt = say("user", next);
    write({ type: "message_end", message: prompt });
    save(prompt);
    const [verb, first, ...rest] = next.split(" ");
    try {
      if (Object.hasOwn(PROMPTS, verb)) await PROMPTS[verb](first, rest.length === 0 ? undefined : rest.join(" "));
      else stream([`You said: ${next}`]);
    } catch {
      write({ type: "message_end", message: { role: "assistant", content: [], stopReason: "aborted" } });
    }
    write({ type: "turn_end", message: {}, toolResults: [] });
  }
  write({ type: "agent_end", messages: run.messages });
  run = null;
  if (isModern) write({ type: "agent_settled" });
}

function takeQueued() {
  const next = steering.shift() ?? followUp.shift();
  if (next !== undefined) emitQueue();
  return next;
}

const accept = (command, disposition) => respond(command, tellsDisposition ? { disposition } : undefined);

/** As of an extension: it is answered when all is done. */
async function extensionCommand(command) {
  const { confirmed } = await ask("confirm", {});
  if (confirmed) accept(command, "handled");
  else refuse(command, "The user does not want it.");
}

const COMMANDS = {
  prompt(command) {
    if (command.message === "release") {
      run?.abort();
      return accept(command, "handled");
    }
    if (command.message === "/quiet") return accept(command, "handled");
    if (command.message.startsWith("/")) return extensionCommand(command);
    if (command.message === "refuse") return refuse(command, "No API key found for fake.");
    if (run === null) {
      accept(command, "started");
      void work(command.message);
      return undefined;
    }
    if (command.streamingBehavior === undefined) return refuse(command, "Agent is already processing.");
    (command.streamingBehavior === "steer" ? steering : followUp).push(command.message);
    emitQueue();
    return accept(command, "queued");
  },
  abort(command) {
    run?.abort();
    setImmediate(() => respond(command));
  },
  get_state: (command) =>
    respond(command, {
      model,
      thinkingLevel,
      isStreaming: run !== null,
      isCompacting: false,
      sessionFile,
      sessionId,
      sessionName,
      pendingMessageCount: steering.length + followUp.length,
    }),
  get_available_models: (command) => respond(command, { models: MODELS }),
  get_commands: (command) =>
    respond(command, {
      commands: [
        { name: "quiet", description: "Does nothing", source: "extension" },
        { name: "review", description: "Review a change", source: "prompt" },
        { name: "skill:tides", source: "skill" },
      ],
    }),
  set_model(command) {
    model = MODELS.find(({ provider, id }) => provider === command.provider && id === command.modelId) ?? model;
    respond(command, model);
  },
  get_available_thinking_levels: (command) =>
    respond(command, { levels: model.reasoning ? ["off", "low", "high", "max"] : ["off"] }),
  clear_queue(command) {
    const cleared = { steering: steering.splice(0), followUp: followUp.splice(0) };
    emitQueue();
    respond(command, cleared);
  },
  get_entries(command) {
    const all = entries();
    const place = all.findIndex(({ id }) => id === command.since);
    if (command.since !== undefined && place < 0) return refuse(command, `Entry not found: ${command.since}`);
    return respond(command, { entries: all.slice(place + 1), leafId: all.at(-1)?.id ?? null });
  },
  set_thinking_level(command) {
    thinkingLevel = command.level;
    write({ type: "thinking_level_changed", level: thinkingLevel });
    respond(command);
  },
  set_session_name(command) {
    sessionName = command.name;
    write({ type: "session_info_changed", name: sessionName });
    respond(command);
  },
};

if (version === "0.74") {
  delete COMMANDS.get_available_thinking_levels;
  delete COMMANDS.clear_queue;
  delete COMMANDS.get_entries;
  delete COMMANDS.get_commands;
}

function take(line) {
  const command = JSON.parse(line);
  if (isDeaf) return;
  if (command.type === "extension_ui_response") dialogs.get(command.id)?.(command);
  else if (Object.hasOwn(COMMANDS, command.type)) COMMANDS[command.type](command);
  else refuse({ ...command, id: isModern ? command.id : undefined }, `Unknown command: ${command.type}`);
}

function serve() {
  process.on("SIGTERM", () => {
    if (!isDeaf) process.exit(143);
  });
  let text = "";
  process.stdin.setEncoding("utf8");
  process.stdin.on("data", (chunk) => {
    const lines = (text + chunk).split("\n");
    text = lines.pop();
    for (const line of lines) take(line);
  });
  process.stdin.on("end", () => {
    if (!isDeaf) process.exit(0);
  });
}

const STARTS = {
  serve,
  hang: () => setInterval(() => process.stderr.write("Still waiting for the network.\n"), 50),
  exit() {
    process.stderr.write("Error: this folder is cursed\n    at file.js:1\n");
    process.exitCode = 3;
  },
  "no-model"() {
    process.stderr.write(`Model "${argument("--model")}" not found. Use --list-models to see available models.\n`);
    process.exitCode = 1;
  },
  old() {
    delete COMMANDS.get_state;
    serve();
  },
  chatty() {
    process.stdout.write("Welcome to the agent!\n");
    write({ type: "extension_ui_request", id: "1", method: "notify", message: "Hello" });
    serve();
  },
};

STARTS[process.env.FAKE_AGENT_START ?? "serve"]();
