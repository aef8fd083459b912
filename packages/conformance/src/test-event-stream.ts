import { type IncomingHttpHeaders, type IncomingMessage, request } from "node:http";
import { createParser } from "eventsource-parser";
import { Inbox } from "./inbox.ts";
import type { PushEvent } from "./push-event.ts";

/** A stream of server-sent events of a test, closed at the end of its block. */
export class TestEventStream implements Disposable {
  readonly headers: IncomingHttpHeaders;
  readonly events = new Inbox<PushEvent>();
  /** Comments, of which heartbeats are made. */
  readonly comments = new Inbox<string>();
  readonly closed: Promise<void>;
  readonly #incoming: IncomingMessage;

  private constructor(incoming: IncomingMessage) {
    this.#incoming = incoming;
    this.headers = incoming.headers;
    const parser = createParser({
      onEvent: ({ event = "message", id, data }) =>
        this.events.push({ event, seq: Number(id), payload: JSON.parse(data) }),
      onComment: (comment) => this.comments.push(comment),
    });
    incoming.setEncoding("utf8").on("data", (text: string) => parser.feed(text));
    incoming.on("error", () => {});
    this.closed = new Promise((resolve) => {
      incoming.on("close", () => {
        for (const inbox of [this.events, this.comments]) inbox.end(new Error("The event stream has ended."));
        resolve();
      });
    });
  }

  /** Connects to a service's own URL; rejects with what was answered where that is no stream. */
  static open(url: string, headers: Record<string, string> = {}, query = ""): Promise<TestEventStream> {
    return new Promise((resolve, reject) => {
      const outgoing = request(`${url}/api/events${query}`, { headers, agent: false }, (incoming) => {
        if (incoming.statusCode === 200) return resolve(new TestEventStream(incoming));
        let body = "";
        incoming.setEncoding("utf8").on("data", (part) => (body += part));
        incoming.on("end", () => reject(new Error(`The stream was refused with ${incoming.statusCode}: ${body}`)));
      });
      outgoing.on("error", reject);
      outgoing.end();
    });
  }

  /** Reads no more from the connection. */
  pause(): void {
    this.#incoming.pause();
  }

  resume(): void {
    this.#incoming.resume();
  }

  [Symbol.dispose](): void {
    this.#incoming.destroy();
  }
}
