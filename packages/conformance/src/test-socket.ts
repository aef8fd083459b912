import type { CommandResponse } from "@sm/router";
import { type ClientOptions, WebSocket } from "ws";
import { Inbox } from "./inbox.ts";
import type { PushEvent } from "./push-event.ts";

/** An answer as it stands on the wire. */
export type SocketResponse = CommandResponse & { command: unknown; id?: unknown };

/** A WebSocket of a test, closed at the end of its block. */
export class TestSocket implements AsyncDisposable {
  readonly socket: WebSocket;
  readonly responses = new Inbox<SocketResponse>();
  readonly events = new Inbox<PushEvent>();
  /** Pings of the server. */
  readonly heartbeats = new Inbox<Buffer>();
  readonly closed: Promise<{ code: number; reason: string }>;

  private constructor(socket: WebSocket) {
    this.socket = socket;
    socket.on("message", (data) => {
      const message = JSON.parse(data.toString());
      if ("event" in message) this.events.push(message);
      else this.responses.push(message);
    });
    socket.on("ping", (data) => this.heartbeats.push(data));
    this.closed = new Promise((resolve) => {
      socket.on("close", (code, reason) => {
        const ended = { code, reason: reason.toString() };
        for (const inbox of [this.responses, this.events, this.heartbeats]) {
          inbox.end(new Error(`The WebSocket was closed: ${JSON.stringify(ended)}`));
        }
        resolve(ended);
      });
    });
  }

  /** Connects to a service's own URL; rejects with {@link Refused} where the upgrade is refused. */
  static open(url: string, options: ClientOptions & { path?: string; protocols?: string[] } = {}): Promise<TestSocket> {
    const { path = "/ws", protocols = [], ...rest } = options;
    const socket = new WebSocket(url.replace(/^http/, "ws") + path, protocols, rest);
    // Before the upgrade is answered, so that no early message is missed.
    const opened = new TestSocket(socket);
    return new Promise((resolve, reject) => {
      socket.once("open", () => resolve(opened));
      socket.on("error", reject);
      socket.once("unexpected-response", (_request, answer) => {
        let body = "";
        answer.setEncoding("utf8").on("data", (text) => (body += text));
        answer.on("end", () => reject(new Refused(answer.statusCode ?? 0, body)));
        answer.on("error", reject);
      });
    });
  }

  /** Sends a text as it is, anything else as JSON. */
  send(message: unknown): void {
    this.socket.send(typeof message === "string" ? message : JSON.stringify(message));
  }

  /** Sends a request and waits for the answer that follows all answers so far. */
  async ask(command: string, payload: unknown = {}): Promise<SocketResponse> {
    const place = this.responses.items.length;
    this.send({ command, payload });
    return this.responses.until((items) => items[place]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.socket.terminate();
    await this.closed;
  }
}

/** An upgrade that was answered like a request. */
export class Refused extends Error {
  readonly status: number;
  readonly body: string;

  constructor(status: number, body: string) {
    super(`The upgrade was refused with ${status}: ${body}`);
    this.status = status;
    this.body = body;
  }
}
