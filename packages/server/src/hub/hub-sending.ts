import { formatTimestamp, type HubStatus, type Outbox, type OutboxSettings, type SendingService } from "@sm/core";
import type { LibraryLog } from "@sm/core/node";
import type { Config } from "../config.ts";
import { HubConnection } from "./hub-connection.ts";
import { HubSender } from "./hub-sender.ts";

export interface HubSendingOptions {
  outbox: Outbox;
  log: LibraryLog;
}

/** Sends sessions to a hub as the configuration says. */
export class HubSending implements SendingService {
  readonly #options: HubSendingOptions;
  #hub: Config["hub"] = null;
  #sender: HubSender | null = null;
  /** One after the other: two senders would take each other's batches. */
  #changing: Promise<void> = Promise.resolve();

  constructor(options: HubSendingOptions) {
    this.#options = options;
  }

  /** Applies what the configuration says now. */
  configure(hub: Config["hub"]): void {
    this.#changing = this.#changing.then(() => this.#change(hub));
  }

  async status(): Promise<HubStatus> {
    await this.#changing;
    const { machineId, pending, files, problems } = await this.#options.outbox.status();
    const progress = this.#sender?.progress;
    if (this.#hub === null || progress === undefined) return statusOf(null, "off");
    const { problem, isSending, sentBytes, lastSentAt } = progress;
    const isAtWork = isSending || pending > 0;
    return {
      ...statusOf(this.#hub, problem !== null ? "waiting" : isAtWork ? "sending" : "sent"),
      machine_id: machineId,
      files,
      pending,
      sent_bytes: sentBytes,
      last_sent_at: formatTimestamp(lastSentAt),
      problems: [...(problem === null ? [] : [problem]), ...problems],
    };
  }

  async close(): Promise<void> {
    this.configure(null);
    await this.#changing;
  }

  async #change(hub: Config["hub"]): Promise<void> {
    if (JSON.stringify(hub) === JSON.stringify(this.#hub)) return;
    const { outbox, log } = this.#options;
    await this.#sender?.close();
    this.#sender = null;
    this.#hub = hub;
    outbox.settings = hub === null ? null : outboxSettings(hub);
    if (hub === null) return;
    const connection = new HubConnection({ url: hub.url, tokenFile: hub.token_file });
    this.#sender = new HubSender({ outbox, connection, log });
  }
}

/** What is known where no service sends. */
export function stoppedSending(hub: Config["hub"]): SendingService & Pick<HubSending, "configure"> {
  let current = hub;
  return {
    configure(changed) {
      current = changed;
    },
    status: async () => statusOf(current, current === null ? "off" : "stopped"),
  };
}

function statusOf(hub: Config["hub"], state: HubStatus["state"]): HubStatus {
  return {
    url: hub?.url ?? null,
    projects: hub?.projects ?? null,
    formats: hub?.formats ?? null,
    redact: hub?.redact ?? false,
    state,
    machine_id: null,
    files: 0,
    pending: 0,
    sent_bytes: 0,
    last_sent_at: null,
    problems: [],
  };
}

function outboxSettings({ projects, formats, redact, redact_words }: NonNullable<Config["hub"]>): OutboxSettings {
  return { projects, formats, redaction: redact ? { words: redact_words } : null };
}
