import type { LineCounts } from "../changes/recorded-diff.ts";
import { oneLine } from "../session/text.ts";
import type { MessageItem, ToolResultItem, TranscriptItem } from "../session/transcript.ts";
import { failureText } from "./entry-text.ts";
import { changesOf, lineChanges } from "./line-changes.ts";
import type { Texts } from "./texts.ts";
import { commandOf, filesOf, useOf } from "./tool-use.ts";
import { patchOf, wordsOf } from "./words.ts";

export interface FailedCall {
  entryId: string;
  /** The tool, with its command if it has run one. */
  call: string;
  error: string;
  /** Whether the same command ran later and did not fail; `null` for a call without a command. */
  isMended: boolean | null;
}

/** What calls did to a file. */
export interface ChangedFile extends LineCounts {
  /** Number of calls that changed it. */
  calls: number;
}

const MOST_FILES = 200;
const MOST_FAILED = 20;
const CALL_LENGTH = 200;
/** Calls and commands that are remembered until their counterparts come. */
const MOST_WAITING = 1_000;

/**
 * What was done in a session: files that were read and changed, and calls that failed. A fold over its entries, the
 * newest first, so that it may end at any of them.
 */
export class SessionWork {
  /** By path as the model gave it; the newest first. */
  readonly changed = new Map<string, ChangedFile>();
  /** Paths that were only read; the newest first. */
  readonly read = new Set<string>();
  /** The newest first. */
  readonly failed: FailedCall[] = [];
  failedCount = 0;
  /** The last answer with a text, `null` without one. */
  outcome: MessageItem | null = null;
  /** The first prompt among what was read. */
  firstPrompt: MessageItem | null = null;
  entries = 0;
  readonly #texts: Texts;
  /** Results whose calls come further back, by ID of the call. */
  readonly #waiting = new Map<string, { failure: FailedCall | null; diff: string | null; isError: boolean }>();
  /** Commands that did not fail, later than what is looked at. */
  readonly #succeeded = new Set<string>();

  constructor(texts: Texts) {
    this.#texts = texts;
  }

  /** Adds the entry before those that were added. */
  add(item: TranscriptItem): void {
    this.entries += 1;
    if (item.kind === "tool_result") this.#addResult(item);
    else if (item.kind === "message" && !item.hidden) this.#addMessage(item);
    else if (item.kind === "bash" && item.exit_code !== null) {
      if (item.exit_code === 0 && !item.cancelled) this.#remember(item.command);
      else this.#fail(item.id, this.#shown(item.command), `exit code ${item.exit_code}`, item.command);
    }
  }

  #addResult(item: ToolResultItem): void {
    const call = item.tool_name?.slice(0, 100) ?? "tool";
    const failure = item.is_error ? this.#fail(item.id, call, () => failureText(item, this.#texts), null) : null;
    if (item.call_id === null || this.#waiting.size >= MOST_WAITING) return;
    // Some agents tell of one call twice: what it returned, and what it changed.
    const known = this.#waiting.get(item.call_id);
    this.#waiting.set(item.call_id, {
      failure: failure ?? known?.failure ?? null,
      diff: item.diff ?? known?.diff ?? null,
      isError: item.is_error || known?.isError === true,
    });
  }

  #addMessage(item: MessageItem): void {
    if (item.role === "user" && hasText(item)) this.firstPrompt = item;
    if (item.role !== "assistant") return;
    if (this.outcome === null && hasText(item)) this.outcome = item;
    for (const block of item.blocks) {
      if (block.kind !== "tool_call") continue;
      const result = block.id === null ? undefined : this.#waiting.get(block.id);
      if (block.id !== null) this.#waiting.delete(block.id);
      const command = commandOf(block.arguments);
      if (command !== null && result !== undefined) {
        if (!result.isError) this.#remember(command);
        else if (result.failure !== null) {
          result.failure.call = oneLine(`${block.name.slice(0, 100)}: ${this.#shown(command)}`, CALL_LENGTH);
          result.failure.isMended = this.#succeeded.has(keyOf(command));
        }
      }
      if (result?.isError === true) continue;
      const use = useOf(block.name);
      const files = filesOf(block.arguments);
      if (use === "wrote") this.#change(files, block.arguments, result?.diff ?? patchOf(item));
      else if (use === "read") for (const file of files) this.#addRead(file);
    }
  }

  #change(files: readonly string[], args: { [name: string]: unknown }, diff: string | null): void {
    const changes = diff === null ? writtenLines(args) : lineChanges(diff);
    const [only] = files.length === 1 ? files : [];
    for (const file of files) {
      this.read.delete(file);
      const known = this.changed.get(file);
      if (known === undefined && this.changed.size >= MOST_FILES) continue;
      const own = changesOf(file, changes) ?? (only === undefined ? null : changes.get(""));
      this.changed.set(file, {
        calls: (known?.calls ?? 0) + 1,
        added: (known?.added ?? 0) + (own?.added ?? 0),
        removed: (known?.removed ?? 0) + (own?.removed ?? 0),
      });
    }
  }

  #addRead(file: string): void {
    if (!this.changed.has(file) && this.read.size < MOST_FILES) this.read.add(file);
  }

  #fail(entryId: string, call: string, error: string | (() => string), command: string | null): FailedCall | null {
    this.failedCount += 1;
    if (this.failed.length === MOST_FAILED) return null;
    const failure: FailedCall = {
      entryId,
      call,
      error: typeof error === "string" ? error : error(),
      isMended: command === null ? null : this.#succeeded.has(keyOf(command)),
    };
    this.failed.push(failure);
    return failure;
  }

  #remember(command: string): void {
    if (this.#succeeded.size < MOST_WAITING) this.#succeeded.add(keyOf(command));
  }

  #shown(command: string): string {
    return oneLine(this.#texts.beginning(command.slice(0, 4 * CALL_LENGTH)), CALL_LENGTH);
  }
}

/** Equal for commands that differ in white space at the ends alone, or behind what anybody types. */
function keyOf(command: string): string {
  return command.trim().slice(0, 4 * CALL_LENGTH);
}

/** What a call writes whole: agents record no diff of new files. */
function writtenLines({ content }: { [name: string]: unknown }): Map<string, LineCounts> {
  if (typeof content !== "string" || content === "") return new Map();
  const added = content.replace(/\n$/, "").split("\n").length;
  return new Map([["", { added, removed: 0 }]]);
}

function hasText(item: MessageItem): boolean {
  return wordsOf(item).trim() !== "";
}
