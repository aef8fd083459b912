import type { JsonObject } from "@sm/core";
import type { AgentRecord } from "./agent-record.ts";

/**
 * Derives from an agent's records whether it is working. A run ends with `agent_settled`, which versions before 0.80 do
 * not emit: there, `get_state` decides after `agent_end`, because a retry, a compaction or a queued prompt may follow.
 */
export class AgentActivity {
  #isRunning = false;
  #isRetrying = false;
  #isCompacting = false;
  #isEnding = false;

  get isBusy(): boolean {
    return this.#isRunning || this.#isRetrying || this.#isCompacting;
  }

  /** Whether `get_state` must be requested. */
  get isEnding(): boolean {
    return this.#isEnding;
  }

  observe(record: AgentRecord): void {
    switch (record.type) {
      case "agent_start":
        this.#isRunning = true;
        this.#isRetrying = false;
        this.#isEnding = false;
        break;
      case "agent_end":
        this.#isRetrying = record.willRetry === true;
        this.#isEnding = true;
        break;
      case "agent_settled":
        this.#isRunning = false;
        this.#isRetrying = false;
        this.#isEnding = false;
        break;
      case "auto_retry_start":
        this.#isRetrying = true;
        break;
      case "auto_retry_end":
        this.#isRetrying = false;
        break;
      case "compaction_start":
      case "auto_compaction_start":
        this.#isCompacting = true;
        break;
      case "compaction_end":
      case "auto_compaction_end":
        this.#isCompacting = false;
        break;
    }
  }

  /** Processes the response to `get_state`, in order with the records. */
  observeState(state: JsonObject): void {
    this.#isRunning = state.isStreaming === true;
    if (!this.#isRunning) this.#isEnding = false;
    this.#isCompacting = state.isCompacting === true;
  }
}
