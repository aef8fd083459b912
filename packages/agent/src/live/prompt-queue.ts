import { type AcceptedPrompt, isJsonObject, type JsonObject, type JsonValue, type LivePrompt } from "@sm/core";
import type { AgentRecord } from "./agent-record.ts";

export interface PromptsOptions {
  /** Sends a command; `answered` is called in order with the agent's records. */
  send(command: JsonObject & { type: string }, answered: (data: JsonValue | undefined) => void): Promise<void>;
  /** Whether the agent is working. */
  isBusy(): boolean;
  /** Called if an accepted prompt fails. */
  failed(error: Error): void;
}

interface SentPrompt {
  /** Whether the agent was otherwise idle: then its next activity belongs to this prompt. */
  isAlone: boolean;
  accept(disposition: AcceptedPrompt["disposition"]): void;
}

/** Prompts sent to an agent and not accepted yet, and the agent's queue. */
export class PromptQueue {
  readonly #options: PromptsOptions;
  readonly #sent = new Set<SentPrompt>();
  #queued = 0;
  /** Number of prompts queued so far. */
  #timesQueued = 0;
  /** Whether the agent has announced a run that has not started yet. */
  #isStarting = false;

  constructor(options: PromptsOptions) {
    this.#options = options;
  }

  /** Length of the agent's queue. */
  get queued(): number {
    return this.#queued;
  }

  send({ prompt, mode, images = [] }: LivePrompt): Promise<AcceptedPrompt> {
    const wasBusy = this.#options.isBusy();
    const timesQueued = this.#timesQueued;
    const command = {
      type: "prompt",
      message: prompt,
      images: images.map(({ data, mime_type }) => ({ type: "image", data, mimeType: mime_type })),
      // Ignored by an idle agent, which knows its state best.
      streamingBehavior: mode === "steer" ? "steer" : "followUp",
    };
    return new Promise((resolve, reject) => {
      const sent: SentPrompt = {
        isAlone: !wasBusy && this.#sent.size === 0,
        accept: (disposition) => {
          this.#sent.delete(sent);
          resolve({ accepted: true, disposition });
        },
      };
      this.#sent.add(sent);
      const answered = (data: JsonValue | undefined) => {
        const wasQueued = wasBusy || this.#timesQueued > timesQueued;
        const told = dispositionOf(data);
        if (told === "started" && this.#sent.has(sent)) this.#isStarting = true;
        sent.accept(told ?? (wasQueued ? "queued" : "started"));
      };
      this.#options.send(command, answered).catch((error: Error) => {
        if (this.#sent.delete(sent)) reject(error);
        else this.#options.failed(error);
      });
    });
  }

  /** Records that the agent is working or asking: the response to an extension's command comes only at its end. */
  begun(): void {
    if (this.#isStarting) {
      this.#isStarting = false;
      return;
    }
    for (const sent of [...this.#sent]) if (sent.isAlone) sent.accept("started");
  }

  /** Processes the agent's `queue_update`. */
  observeQueue({ steering, followUp }: AgentRecord): void {
    const lengths = [steering, followUp].map((queue) => (Array.isArray(queue) ? queue.length : 0));
    const queued = lengths.reduce((sum, length) => sum + length, 0);
    if (queued > this.#queued) this.#timesQueued += 1;
    this.#queued = queued;
  }
}

/** What the agent did with a prompt; `null` if unknown, before 0.99. */
function dispositionOf(data: JsonValue | undefined): AcceptedPrompt["disposition"] | null {
  const told = isJsonObject(data) ? data.disposition : null;
  return told === "started" || told === "queued" || told === "handled" ? told : null;
}
