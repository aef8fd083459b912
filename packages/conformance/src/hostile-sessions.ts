const TIME = "2026-03-01T10:00:01.000Z";
/** One pixel. */
const PICTURE = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

const text = (value: unknown) => ({ type: "text", text: value });
const call = (id: string, name: string, args: unknown) => ({ type: "toolCall", id, name, arguments: args });

/** Writes a session that has each payload in each of its fields, as the lines of its file. */
export function hostileSession(payloads: readonly string[]): object[] {
  const [first = ""] = payloads;
  const lines: object[] = [{ ...header(first), name: first, [first]: first }];
  let parent: string | null = null;
  for (const [at, payload] of payloads.entries()) {
    const id = (name: string) => `${name}${at}${payload}`;
    const add = (name: string, type: string, fields: object) => {
      lines.push({ type, id: id(name), parentId: parent, timestamp: TIME, ...fields });
      parent = id(name);
    };
    const say = (name: string, message: object) => add(name, "message", { message });

    say("user", { role: "user", content: payload });
    say("blocks", { role: "user", content: [text(payload), ...images(payload), unknown(payload), payload] });
    say("answer", answer(payload, [...calls(payload, id), text(payload)]));
    say("result", result(payload, { toolCallId: id("call"), details: { diff: diffOf(payload), ...unknown(payload) } }));
    say("edited", result(payload, { toolCallId: id("edit"), toolName: "edit", isError: false, details: payload }));
    say("lone", result(payload, { toolCallId: payload, content: payload }));
    say("failed", { ...answer(payload, []), stopReason: "error" });
    say("bash", bash(payload));
    say("system", { role: "system", content: payload, sections: { [payload]: payload } });
    say("custom", { role: "custom", customType: payload, content: payload, display: true });
    say("hidden", { role: "hookMessage", customType: payload, content: [text(payload)], display: false });
    say("role", { role: payload, content: payload });
    add("message", "message", { message: payload });
    add("compaction", "compaction", { summary: payload, firstKeptEntryId: payload, tokensBefore: payload });
    add("aside", "branch_summary", { summary: payload, fromId: payload, details: unknown(payload) });
    add("model", "model_change", { provider: payload, modelId: payload });
    add("level", "thinking_level_change", { thinkingLevel: payload });
    add("data", "custom", { customType: payload, data: unknown(payload) });
    add("extension", "custom_message", { customType: payload, content: payload, display: true, details: payload });
    add("named", "session_info", { name: payload });
    add("label", "label", { targetId: id("user"), label: payload });
    add("unlabelled", "label", { targetId: payload, label: payload });
    add("type", payload, { ...unknown(payload), timestamp: payload });
    // A branch of its own, which begins and ends with the payload, and one that hangs nowhere.
    lines.push({
      type: "message",
      id: id("branch"),
      parentId: id("user"),
      message: { role: "user", content: payload },
    });
    if (at % 50 === 0) lines.push({ type: "message", id: id("root"), parentId: payload, message: result(payload, {}) });
  }
  return lines;
}

/** Writes a session whose name, place and models are a payload: what a page and an archive say above all entries. */
export function hostileHead(payload: string): object[] {
  const entry = (id: string, parentId: string | null, type: string, fields: object) => ({
    type,
    id,
    parentId,
    timestamp: TIME,
    ...fields,
  });
  return [
    header(payload),
    entry("1", null, "message", { message: { role: "user", content: payload } }),
    entry("2", "1", "message", { message: answer(payload, [text(payload)]) }),
    entry("3", "2", "session_info", { name: payload }),
  ];
}

function header(payload: string): object {
  const from = { parentSession: payload, branchedFrom: payload, provider: payload, modelId: payload };
  return {
    type: "session",
    version: 3,
    id: payload,
    timestamp: payload,
    cwd: payload,
    thinkingLevel: payload,
    ...from,
  };
}

function unknown(payload: string): object {
  return { type: payload, [payload]: [payload, { [payload]: payload }] };
}

function images(payload: string): object[] {
  return [
    { type: "image", mimeType: payload, data: PICTURE },
    { type: "image", mimeType: "image/png", data: payload },
    { type: "image", mimeType: `image/png${payload}`, data: `${PICTURE}${payload}` },
    {
      type: "image",
      mimeType: "image/svg+xml",
      data: btoa('<svg xmlns="http://www.w3.org/2000/svg" onload="hasRun(1)"/>'),
    },
    { type: "image", mimeType: "text/html", data: btoa("<script>hasRun(1)</script>") },
    { type: "image", mimeType: "image/png", data: PICTURE },
  ];
}

function answer(payload: string, content: object[]): object {
  return {
    role: "assistant",
    content: [{ type: "thinking", thinking: payload, thinkingSignature: payload }, ...content, unknown(payload)],
    api: payload,
    provider: payload,
    model: payload,
    usage: { input: 1, output: payload, totalTokens: 2, cost: { total: payload } },
    stopReason: payload,
    errorMessage: payload,
    timestamp: payload,
  };
}

/** Calls of all kinds that a page knows, and some that nobody does. */
function calls(payload: string, id: (name: string) => string): object[] {
  const rest = { [payload]: payload, nested: unknown(payload) };
  return [
    call(id("call"), payload, { ...rest, command: payload, path: payload }),
    call(id("edit"), "edit", { path: payload, oldText: payload, newText: `${payload}\n${payload}` }),
    call(id("edits"), "edit", { path: payload, edits: [{ oldText: "x", newText: payload }] }),
    call(id("patch"), "apply_patch", { input: `*** Begin Patch\n+${payload}\n-${payload}`, file: `a.${payload}` }),
    call(id("write"), "write", { path: "a.html", content: payload }),
    call(id("search"), "grep", { pattern: payload, path: payload, glob: payload, offset: payload }),
    call(id("list"), "bash", { command: [payload, payload], description: payload }),
    { type: "toolCall", id: payload, name: payload, arguments: payload },
  ];
}

function diffOf(payload: string): string {
  return `--- ${payload}\n+++ ${payload}\n@@ ${payload} @@\n-${payload}\n+${payload}\n ${payload}`;
}

function result(payload: string, fields: object): object {
  const content = [text(payload), ...images(payload), unknown(payload)];
  return { role: "toolResult", toolCallId: payload, toolName: payload, content, isError: true, ...fields };
}

function bash(payload: string): object {
  return {
    role: "bashExecution",
    command: payload,
    output: payload,
    exitCode: payload,
    truncated: true,
    cancelled: payload,
    fullOutputPath: payload,
  };
}
