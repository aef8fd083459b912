import { type AcceptedPrompt, isJsonObject, type JsonObject, type JsonValue, type LivePrompt } from "@sm/core";
import type { AgentRecord } from "./record.ts";

export interface PromptsOptions {
  /** Sends a command; `answered` is called at the place of the answer among the agent's records. */
  send(command: JsonObject & { type: string }, answered: (data: JsonValue | undefined) => void): Promise<void>;
  /** Whether the agent is at work. */
  isBusy(): boolean;
  /** Called where a prompt fails that was accepted. */
  failed(error: Error): void;
}

interface SentPrompt {
  /** Whether the agent did nothing else: what it then begins or asks shows that it works on this one. */
  isAlone: boolean;
  accept(disposition: AcceptedPrompt["disposition"]): void;
}

/** The prompts that an agent was sent and has not accepted yet, and what is in its queue. */
export class Prompts {
  readonly #options: PromptsOptions;
  readonly #sent = new Set<SentPrompt>();
  #queued = 0;
  /** How often a prompt has come into the queue. */
  #timesQueued = 0;
  /** Whether the agent has said that a run follows, which it has not begun yet. */
  #isStarting = false;

  constructor(options: PromptsOptions) {
    this.#options = options;
  }

  /** How many wait in the agent's queue. */
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
      // Counts only while the agent is at work: whether it is, nobody knows better than itself.
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

  /** Takes note that the agent works, or asks: the answer to an extension's command comes only when all is done. */
  begun(): void {
    if (this.#isStarting) {
      this.#isStarting = false;
      return;
    }
    for (const sent of [...this.#sent]) if (sent.isAlone) sent.accept("started");
  }

  /** Takes the agent's `queue_update`. */
  observeQueue({ steering, followUp }: AgentRecord): void {
    const lengths = [steering, followUp].map((queue) => (Array.isArray(queue) ? queue.length : 0));
    const queued = lengths.reduce((sum, length) => sum + length, 0);
    if (queued > this.#queued) this.#timesQueued += 1;
    this.#queued = queued;
  }
}

/** What the agent has done with a prompt; `null` where it does not say, before 0.99. */
function dispositionOf(data: JsonValue | undefined): AcceptedPrompt["disposition"] | null {
  const told = isJsonObject(data) ? data.disposition : null;
  return told === "started" || told === "queued" || told === "handled" ? told : null;
}
