import { isJsonObject, type JsonObject, type JsonValue } from "@sm/core";
import type { Shell } from "../shell.ts";
import { visible, visibleLines } from "../terminal/visible.ts";

/** Longer tool arguments are truncated. */
const MAX_ARGUMENTS_LENGTH = 200;

/** Formats an agent's records as a conversation: streamed text, one line per tool, and questions. */
export class LiveText {
  readonly #shell: Shell;
  /** Whether the current message is being streamed. */
  #isStreaming = false;

  constructor(shell: Shell) {
    this.#shell = shell;
  }

  show(record: object): void {
    const { type, ...fields } = record as JsonObject;
    const { colors } = this.#shell;
    switch (type) {
      case "message_update":
        this.#showDelta(fields.assistantMessageEvent);
        break;
      case "message_end":
        this.#showMessage(fields.message);
        break;
      case "tool_execution_start":
        this.#line(colors.cyan(`● ${visible(String(fields.toolName))} ${argumentsText(fields.args)}`));
        break;
      case "tool_execution_end":
        if (fields.isError === true) this.#line(colors.red(`  ${visible(String(fields.toolName))} failed`));
        break;
      case "extension_ui_request":
        this.#showQuestion(fields);
        break;
    }
  }

  #showDelta(event: JsonValue | undefined): void {
    if (!isJsonObject(event) || event.type !== "text_delta") return;
    this.#shell.write(visibleLines(String(event.delta)));
    this.#isStreaming = true;
  }

  #showMessage(message: JsonValue | undefined): void {
    if (!isJsonObject(message)) return;
    const { colors } = this.#shell;
    if (message.role === "user") this.#line(colors.bold(`> ${visibleLines(textOf(message.content))}`));
    if (message.role !== "assistant") return;
    const text = this.#isStreaming ? "" : visibleLines(textOf(message.content));
    if (this.#isStreaming || text !== "") this.#shell.write(`${text}\n`);
    this.#isStreaming = false;
    if (typeof message.errorMessage === "string") this.#line(colors.red(visible(message.errorMessage)));
  }

  #showQuestion({ id, method, title, message }: JsonObject): void {
    if (!["select", "confirm", "input", "editor"].includes(String(method))) return;
    const question = [title, message].filter((text) => typeof text === "string").join(": ");
    this.#line(this.#shell.colors.yellow(`? ${visible(question)} (${visible(String(method))} ${visible(String(id))})`));
  }

  /** Prints a separate line. */
  #line(safe: string): void {
    this.#shell.write(`${this.#isStreaming ? "\n" : ""}${safe}\n`);
    this.#isStreaming = false;
  }
}

function argumentsText(args: JsonValue | undefined): string {
  const text = visible(JSON.stringify(args ?? {}));
  return text.length > MAX_ARGUMENTS_LENGTH ? `${text.slice(0, MAX_ARGUMENTS_LENGTH)}…` : text;
}

/** Text of a message, whose content is a string or blocks. */
function textOf(content: JsonValue | undefined): string {
  if (typeof content === "string") return content;
  const blocks = Array.isArray(content) ? content : [];
  return blocks.flatMap((block) => (isJsonObject(block) && block.type === "text" ? String(block.text) : [])).join("\n");
}
