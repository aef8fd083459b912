import { isJsonObject, type LiveEntries } from "@sm/core";
import type { AgentRecord, TakenRecord } from "./agent-record.ts";

export interface RecordHistoryLimits {
  entries: number;
  bytes: number;
  /** Deltas of the current message; ten pages of text have about as many. */
  deltas: number;
}

/** Fifty sessions may run; together their histories have at most 200 MiB of JSON. */
const LIMITS: RecordHistoryLimits = { entries: 10_000, bytes: 4 * 1024 * 1024, deltas: 8_000 };

interface Kept extends TakenRecord {
  seq: number;
  timestamp: string;
}

/**
 * Bounded history of an agent's records; the oldest are dropped. Deltas are removed when their message is complete, and
 * a record of a state (of a tool's output, the queue, a status line) replaces the previous one.
 */
export class RecordHistory {
  readonly #limits: RecordHistoryLimits;
  readonly #kept = new Map<number, Kept>();
  /** Newest record of each state. */
  readonly #states = new Map<string, number>();
  #deltas: number[] = [];
  #bytes = 0;
  #last = 0;
  /** Number of the newest dropped record. */
  #forgotten = 0;

  constructor(limits: RecordHistoryLimits = LIMITS) {
    this.#limits = limits;
  }

  /** Kept records, oldest first. */
  get records(): TakenRecord[] {
    return [...this.#kept.values()];
  }

  /** Adds a record and returns its number. */
  add({ record, bytes }: TakenRecord): number {
    this.#last += 1;
    const seq = this.#last;
    const state = stateOf(record);
    if (state !== null) {
      this.#drop(this.#states.get(state));
      this.#states.set(state, seq);
    } else if (record.type === "message_update") {
      this.#deltas.push(seq);
    }
    this.#kept.set(seq, { seq, timestamp: new Date().toISOString(), record, bytes });
    this.#bytes += bytes;
    this.#forgetEnded(record);
    this.#trim();
    return seq;
  }

  /** A number from an earlier run of the service, larger than all current ones, returns everything. */
  after(seq: number | null): LiveEntries {
    const from = seq === null || seq > this.#last ? 0 : seq;
    const kept = [...this.#kept.values()].filter((one) => one.seq > from);
    const entries = kept.map((one) => ({ seq: one.seq, timestamp: one.timestamp, event: one.record }));
    return { entries, next_seq: this.#last, has_gap: from < this.#forgotten };
  }

  #forgetEnded(record: AgentRecord): void {
    if (record.type === "message_end" && isOfAgent(record)) {
      for (const seq of this.#deltas) this.#drop(seq);
      this.#deltas = [];
    } else if (record.type === "tool_execution_end") {
      const tool = `tool ${String(record.toolCallId)}`;
      this.#drop(this.#states.get(tool));
      this.#states.delete(tool);
    }
  }

  #trim(): void {
    // A tenth at a time, because removing moves all others.
    if (this.#deltas.length > this.#limits.deltas) {
      for (const seq of this.#deltas.splice(0, Math.ceil(this.#limits.deltas / 10))) this.#drop(seq);
    }
    for (const seq of this.#kept.keys()) {
      if (this.#kept.size <= this.#limits.entries && this.#bytes <= this.#limits.bytes) break;
      if (seq === this.#last) continue;
      this.#drop(seq);
      this.#forgotten = Math.max(this.#forgotten, seq);
    }
    if (this.#states.size > this.#limits.entries) {
      for (const [state, seq] of this.#states) if (!this.#kept.has(seq)) this.#states.delete(state);
    }
  }

  #drop(seq: number | undefined): void {
    const kept = seq === undefined ? undefined : this.#kept.get(seq);
    if (kept === undefined) return;
    this.#kept.delete(kept.seq);
    this.#bytes -= kept.bytes;
  }
}

/** Extensions may add messages while the agent writes. */
function isOfAgent({ message }: AgentRecord): boolean {
  return !isJsonObject(message) || message.role === "assistant";
}

/** Key of a state of which only the newest record matters. */
function stateOf(record: AgentRecord): string | null {
  switch (record.type) {
    case "tool_execution_update":
      return isJsonObject(record.partialResult) ? `tool ${String(record.toolCallId)}` : null;
    case "queue_update":
      return "queue";
    case "extension_ui_request":
      if (record.method === "setStatus") return `status ${String(record.statusKey)}`;
      if (record.method === "setWidget") return `widget ${String(record.widgetKey)}`;
      return record.method === "setTitle" ? "title" : null;
    default:
      return null;
  }
}
