import type { AgentSessionEvent } from "@earendil-works/pi-coding-agent";
import type { JsonObject, LiveSession } from "@sm/core";
import type { EventPayloads } from "@sm/router/events";
import type { PushEvent } from "./push-event.ts";
import { TestSocket } from "./test-socket.ts";

/** What an agent has said, as one client was told. */
export interface AgentEvent {
  seq: number;
  event: JsonObject & { type: string };
}

/** A client that watches one session. */
export class Watcher implements AsyncDisposable {
  readonly socket: TestSocket;
  readonly #id: string;

  private constructor(socket: TestSocket, id: string) {
    this.socket = socket;
    this.#id = id;
  }

  /** Starts a session over a connection of its own, which is told of it without asking. */
  static async start(url: string, payload: object): Promise<[Watcher, LiveSession]> {
    const socket = await TestSocket.open(url);
    const session = await ask<LiveSession>(socket, "start_coding_session", payload);
    return [new Watcher(socket, session.session_id), session];
  }

  /** Watches a session that runs. */
  static async open(url: string, id: string): Promise<Watcher> {
    const socket = await TestSocket.open(url);
    await ask(socket, "subscribe", { topics: [`live:${id}`] });
    return new Watcher(socket, id);
  }

  /** All that was told so far, in order. */
  get told(): AgentEvent[] {
    return this.#told(this.socket.events.items);
  }

  ask<Data = LiveSession>(command: string, payload: object = {}): Promise<Data> {
    return ask<Data>(this.socket, command, { session_id: this.#id, ...payload });
  }

  /** Waits for a record after number `after` that fits. */
  until(fits: (event: AgentEvent["event"]) => boolean, after = 0): Promise<AgentEvent> {
    return this.socket.events.until((items) => this.#told(items).find(({ seq, event }) => seq > after && fits(event)));
  }

  /** Sends a prompt and waits until the agent has nothing more to do; returns what it said meanwhile. */
  async run(prompt: string): Promise<AgentEvent["event"][]> {
    const place = this.socket.events.items.length;
    await this.ask("send_coding_agent_rpc", { prompt });
    const end = await this.rests(place);
    return this.#told(this.socket.events.items.slice(place, end)).map(({ event }) => event);
  }

  /** Waits until the session is idle, after what was told before `place`; returns how much was told by then. */
  rests(place: number): Promise<number> {
    const isRest = ({ event, payload }: PushEvent, index: number) => {
      const { session_id, state } = payload as EventPayloads["live-session"];
      return index >= place && event === "live-session" && session_id === this.#id && state === "idle";
    };
    return this.socket.events.until((items) => {
      const rest = items.findIndex(isRest);
      return rest === -1 ? undefined : rest;
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.socket[Symbol.asyncDispose]();
  }

  #told(items: readonly PushEvent[]): AgentEvent[] {
    return items
      .filter(({ event }) => event === "live-session-event")
      .map(({ payload }) => payload as AgentEvent & { session_id: string })
      .filter(({ session_id }) => session_id === this.#id)
      .map(({ seq, event }) => ({ seq, event }));
  }
}

/** Sends a command and returns its data; fails where the command fails. */
async function ask<Data>(socket: TestSocket, command: string, payload: object): Promise<Data> {
  const { success, data, error } = await socket.ask(command, payload);
  if (!success) throw new Error(`${command} failed: ${JSON.stringify(error)}`);
  return data as Data;
}

/** One line about what a client is told of a session, as the documentation shows it; `null` for what that leaves out. */
export function lineAbout({ event, payload }: PushEvent): string | null {
  if (event === "live-session") return `live-session ${(payload as EventPayloads["live-session"]).state}`;
  if (event !== "live-session-event") return null;
  const record = (payload as { event: AgentSessionEvent }).event;
  switch (record.type) {
    case "message_update": {
      const { type, ...change } = record.assistantMessageEvent;
      return `message_update ${type}${"delta" in change ? ` ${JSON.stringify(change.delta)}` : ""}`;
    }
    case "message_start":
    case "message_end":
    case "turn_end":
      return `${record.type} ${record.message.role} ${JSON.stringify(textsOf(record.message))}`;
    case "tool_execution_start":
      return `${record.type} ${record.toolName} ${JSON.stringify(record.args)}`;
    case "tool_execution_update":
      // How often a tool tells of its output depends on the machine.
      return null;
    case "tool_execution_end":
      return `${record.type} ${record.toolName} ${JSON.stringify(textsOf(record.result))}`;
    default:
      return record.type;
  }
}

/** Texts of the messages that have ended, by role. */
export function said(events: readonly AgentEvent["event"][], role: string): string[] {
  return (events as unknown as AgentSessionEvent[]).flatMap((event) =>
    event.type === "message_end" && event.message.role === role ? textsOf(event.message) : [],
  );
}

/** The text of a message; of its other blocks the type. */
function textsOf(message: object): string {
  const { content } = message as { content: string | { type: string; text?: string }[] };
  return typeof content === "string" ? content : content.map(({ type, text }) => text ?? `(${type})`).join(" ");
}
