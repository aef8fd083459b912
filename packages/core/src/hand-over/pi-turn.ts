import type { Usage } from "../session/record.ts";
import type { MessageItem, ToolResultItem, TranscriptBlock } from "../session/transcript.ts";
import type { CallIds } from "./call-ids.ts";

/** An answer, joined from the pieces that the source has of it. */
interface Answer {
  timestamp: string | null;
  blocks: TranscriptBlock[];
  /** Tells it from other answers; `null` where the source does not. */
  answerId: string | null;
  provider: string | null;
  model: string | null;
  usage: Usage | null;
  stopReason: string | null;
  error: string | null;
}

/** A call of an answer, and what it has returned. */
interface TurnCall {
  id: string;
  name: string;
  result: TurnResult | null;
}

interface TurnResult {
  timestamp: string | null;
  blocks: TranscriptBlock[];
  isError: boolean;
  diff: string | null;
}

/** An answer of a model with the results of its calls, as far as they have come. */
export class PiTurn {
  answer: Answer | null = null;
  readonly calls: TurnCall[] = [];
  /** By the ID in the source, of which a file may have several: the first of them without a result, or the last. */
  readonly #recorded = new Map<string, { calls: TurnCall[]; next: number }>();
  readonly #byBlock = new Map<TranscriptBlock, TurnCall>();
  /** In the order of arrival. */
  readonly #returned: TurnCall[] = [];

  get isEmpty(): boolean {
    return this.answer === null;
  }

  /** Whether a call has no result yet. */
  get isWaiting(): boolean {
    return this.#returned.length < this.calls.length;
  }

  /** Whether a piece continues this answer: nothing was returned yet, and it is of the same one as far as is known. */
  joins(item: MessageItem): boolean {
    if (this.answer === null) return true;
    if (this.#returned.length > 0 || this.answer.error !== null || item.error_message !== null) return false;
    const isOther = this.answer.answerId !== null && item.answer_id !== null && item.answer_id !== this.answer.answerId;
    return this.calls.length > 0 || !isOther;
  }

  add(item: MessageItem, ids: CallIds): void {
    const { answer } = this;
    for (const block of item.blocks) {
      if (block.kind !== "tool_call") continue;
      const call = { id: ids.take(block.id), name: block.name || "unknown", result: null };
      this.calls.push(call);
      this.#byBlock.set(block, call);
      if (block.id === null) continue;
      const same = this.#recorded.get(block.id);
      if (same === undefined) this.#recorded.set(block.id, { calls: [call], next: 0 });
      else same.calls.push(call);
    }
    const blocks = answer?.blocks ?? [];
    for (const block of item.blocks) blocks.push(block);
    this.answer = {
      timestamp: answer?.timestamp ?? item.timestamp,
      blocks,
      answerId: answer?.answerId ?? item.answer_id,
      provider: item.provider ?? answer?.provider ?? null,
      model: item.response_model ?? item.model ?? answer?.model ?? null,
      // The last piece has the final one.
      usage: item.usage ?? answer?.usage ?? null,
      stopReason: item.stop_reason ?? answer?.stopReason ?? null,
      error: item.error_message ?? answer?.error ?? null,
    };
  }

  /** Sets the usage of the answer, which the source tells apart from it. */
  use(usage: Usage): void {
    if (this.answer !== null) this.answer.usage = usage;
  }

  /** Takes the result of one of the calls; `false` if it is of none. */
  take({ call_id, timestamp, blocks, is_error, diff }: ToolResultItem): boolean {
    if (call_id === null) return false;
    const same = this.#recorded.get(call_id);
    const call = same?.calls[same.next] ?? same?.calls.at(-1);
    if (same === undefined || call === undefined) return false;
    same.next += 1;
    if (call.result === null) {
      this.#returned.push(call);
      call.result = { timestamp, blocks: [...blocks], isError: is_error, diff };
      return true;
    }
    // Of one call, some agents record what it returned and what it changed.
    const { result } = call;
    for (const block of blocks) result.blocks.push(block);
    result.timestamp ??= timestamp;
    result.isError ||= is_error;
    result.diff = diff ?? result.diff;
    return true;
  }

  callOf(block: TranscriptBlock): TurnCall | null {
    return this.#byBlock.get(block) ?? null;
  }

  /** The calls in the order of their results; those without any follow. */
  results(): TurnCall[] {
    return [...this.#returned, ...this.calls.filter(({ result }) => result === null)];
  }
}
