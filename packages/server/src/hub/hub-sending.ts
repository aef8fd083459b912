import type { Outbox, OutboxSettings } from "@sm/core";
import type { LibraryLog } from "@sm/core/node";
import type { Config } from "../config.ts";
import { HubConnection } from "./hub-connection.ts";
import { HubSender } from "./hub-sender.ts";

export interface HubSendingOptions {
  outbox: Outbox;
  log: LibraryLog;
}

/** Sends sessions to a hub as the configuration says. */
export class HubSending {
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

function outboxSettings({ projects, formats, redact, redact_words }: NonNullable<Config["hub"]>): OutboxSettings {
  return { projects, formats, redaction: redact ? { words: redact_words } : null };
}
