import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { hubPath } from "@sm/core";
import { SessionOutbox } from "@sm/core/sending";
import { HubConnection, type HubDelivery, HubSender } from "@sm/server/parts";
import { MarkedSession } from "./marked-session.ts";

export interface MachinesTask {
  directory: string;
  /** Numbers of the machines: no other task has them. */
  from: number;
  below: number;
  sessionsOfEach: number;
  /** Of the servers, of which each batch goes to another one. */
  urls: string[];
  tokenFile: string;
  /** Milliseconds between two lines of a session, on average. */
  pauseMs: number;
}

/** What the hub must have at the end. */
export interface ExpectedSession {
  /** On the disk of its machine, and on the hub. */
  path: string;
  hubPath: string;
  marks: string[];
  gone: readonly string[];
}

/** Of so many lines, one session is written anew instead. */
const LINES_PER_REWRITE = 150;
const FIRST_DELAY_MS = 200;

const log = {
  info: () => {},
  warn: () => {},
  error: (fields: object, message: string) => console.error(message, fields),
};

/** Sends each batch to the next server, as a proxy that knows of no dead ones does. */
class TakingTurns implements HubDelivery {
  readonly #connections: HubConnection[];
  #next: number;

  constructor(connections: HubConnection[], first: number) {
    this.#connections = connections;
    this.#next = first;
  }

  send(body: Uint8Array, signal: AbortSignal) {
    const connection = this.#connections[this.#next++ % this.#connections.length];
    if (connection === undefined) throw new Error("There is no server.");
    return connection.send(body, signal);
  }

  close(): void {
    for (const connection of this.#connections) connection.close();
  }
}

/** A machine without a library: its sessions, what is sent of them, and nothing that indexes them there. */
class SimulatedMachine {
  readonly sessions: MarkedSession[];
  readonly #outbox: SessionOutbox;
  readonly #sender: HubSender;

  constructor({ directory, sessionsOfEach, urls, tokenFile }: MachinesTask, number: number) {
    const folder = join(directory, String(number));
    mkdirSync(folder, { recursive: true });
    this.sessions = Array.from(
      { length: sessionsOfEach },
      (_, place) => new MarkedSession(folder, number * sessionsOfEach + place),
    );
    const byPath = new Map(this.sessions.map((session) => [session.path, session]));
    const all = this.sessions;
    this.#outbox = new SessionOutbox({
      path: join(folder, "hub.db"),
      places: () => null,
      log,
      sessions: {
        some: async (paths) => paths.flatMap((path) => byPath.get(path)?.file ?? []),
        async *all() {
          yield all.map(({ file }) => file);
        },
        said: async () => [],
        marked: async () => [],
      },
    });
    this.#outbox.settings = { projects: null, formats: null, redaction: null };
    const connections = urls.map((url) => new HubConnection({ url, tokenFile }));
    const connection = new TakingTurns(connections, number);
    this.#sender = new HubSender({ outbox: this.#outbox, connection, log, firstDelayMs: FIRST_DELAY_MS });
  }

  begin(): Promise<void> {
    return this.#outbox.catchUp();
  }

  changed({ path }: MarkedSession): void {
    this.#outbox.filesRead([{ path, status: "session", movedFrom: null }]);
  }

  /** Sessions of which the hub lacks something, as far as is known. */
  async pending(): Promise<number> {
    return (await this.#outbox.status()).pending;
  }

  async id(): Promise<string> {
    return (await this.#outbox.status()).machineId ?? "";
  }

  async close(): Promise<void> {
    await this.#sender.close();
    await this.#outbox.close();
  }
}

/** Machines whose agents write all at once. */
export class SimulatedMachines {
  readonly #pauseMs: number;
  readonly #machines: SimulatedMachine[];
  #lines = 0;
  #rewrites = 0;

  constructor(task: MachinesTask) {
    this.#pauseMs = task.pauseMs;
    this.#machines = [];
    for (let number = task.from; number < task.below; number++) this.#machines.push(new SimulatedMachine(task, number));
  }

  get written(): { lines: number; rewrites: number } {
    return { lines: this.#lines, rewrites: this.#rewrites };
  }

  async begin(): Promise<void> {
    await Promise.all(this.#machines.map((machine) => machine.begin()));
  }

  /** All sessions grow until the time is over. */
  async write(milliseconds: number): Promise<void> {
    const until = performance.now() + milliseconds;
    const write = async (machine: SimulatedMachine, session: MarkedSession) => {
      for (;;) {
        await pause(this.#pauseMs * 2 * Math.random());
        if (performance.now() >= until || session.isFull) return;
        if (Math.random() * LINES_PER_REWRITE < 1) {
          session.rewrite();
          this.#rewrites++;
        } else {
          session.append();
          this.#lines++;
        }
        machine.changed(session);
      }
    };
    await Promise.all(this.#machines.flatMap((machine) => machine.sessions.map((session) => write(machine, session))));
  }

  async pending(): Promise<number> {
    const all = await Promise.all(this.#machines.map((machine) => machine.pending()));
    return all.reduce((sum, pending) => sum + pending, 0);
  }

  async expected(): Promise<ExpectedSession[]> {
    const all = await Promise.all(
      this.#machines.map(async (machine) => {
        const id = await machine.id();
        return machine.sessions.map(({ path, marks, gone }) => ({ path, hubPath: hubPath(id, path), marks, gone }));
      }),
    );
    return all.flat();
  }

  async close(): Promise<void> {
    await Promise.all(this.#machines.map((machine) => machine.close()));
  }
}
