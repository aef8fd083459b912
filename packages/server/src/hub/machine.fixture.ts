import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { OutboxSettings } from "@sm/core";
import { type Library, openLibrary } from "@sm/core/node";
import { HubConnection } from "./hub-connection.ts";
import { HubSender } from "./hub-sender.ts";

const EVERYTHING: OutboxSettings = { projects: null, formats: null, redaction: null };

/** A machine with sessions, and a service that sends them. */
export class TestMachine {
  readonly directory = mkdtempSync(join(tmpdir(), "machine-"));
  readonly log: string[] = [];
  readonly #hub: { url: string; tokenFile: string };
  settings: OutboxSettings = EVERYTHING;
  #library: Library | null = null;
  #sender: HubSender | null = null;
  #sessions = 0;

  constructor(hub: { url: string; tokenFile: string }) {
    this.#hub = hub;
    // What tests delete goes to a trash of their own. A process learns only once where that is: from its first machine.
    process.env.XDG_DATA_HOME = join(this.directory, "xdg");
    mkdirSync(this.sessions, { recursive: true });
  }

  get sessions(): string {
    return join(this.directory, "agent", "sessions");
  }

  get library(): Library {
    if (this.#library === null) throw new Error("The service does not run.");
    return this.#library;
  }

  get sender(): HubSender {
    if (this.#sender === null) throw new Error("The service does not run.");
    return this.#sender;
  }

  async start({ watch = true, vault = false }: { watch?: boolean; vault?: boolean } = {}): Promise<void> {
    const say = (_fields: object, message: string) => void this.log.push(message);
    this.#library = await openLibrary({
      agentDir: join(this.directory, "agent"),
      agentHome: this.directory,
      sessionPaths: [],
      dataDir: join(this.directory, "data"),
      watch,
      log: { info: () => {}, warn: say, error: say },
      ...(vault && {
        vault: {
          enabled: true,
          excludedFormats: [],
          excludedProjects: [],
          maxBytes: null,
          deletedDays: 30,
          replacedDays: 30,
        },
      }),
    });
    this.#library.outbox.settings = this.settings;
    this.#sender = new HubSender({
      outbox: this.#library.outbox,
      connection: new HubConnection(this.#hub),
      log: { info: () => {}, warn: say },
      firstDelayMs: 20,
    });
  }

  async stop(): Promise<void> {
    await this.#sender?.close();
    await this.#library?.close();
    this.#sender = null;
    this.#library = null;
  }

  async machineId(): Promise<string> {
    return (await this.library.outbox.status()).machineId ?? "";
  }

  /** A session with its header. */
  session(name: string, { cwd = "/code/garden", text = "" }: { cwd?: string; text?: string } = {}): string {
    const path = join(this.sessions, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, header(`session-${++this.#sessions}`, cwd) + text);
    return path;
  }

  append(path: string, text: string): void {
    appendFileSync(path, text);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    rmSync(this.directory, { recursive: true, force: true });
  }
}

export function header(id: string, cwd = "/code/garden"): string {
  return `${JSON.stringify({ type: "session", version: 3, id, timestamp: "2026-01-01T00:00:00.000Z", cwd })}\n`;
}

let messages = 0;

export function message(text: string): string {
  const id = `m${++messages}`;
  const timestamp = "2026-01-01T00:00:01.000Z";
  const content = [{ type: "text", text }];
  return `${JSON.stringify({ type: "message", id, parentId: null, timestamp, message: { role: "user", content } })}\n`;
}
