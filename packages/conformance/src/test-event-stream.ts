import { type IncomingHttpHeaders, type IncomingMessage, request } from "node:http";
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
    let rest = "";
    incoming.setEncoding("utf8").on("data", (text: string) => {
      const blocks = (rest + text).split("\n\n");
      rest = blocks.pop() ?? "";
      for (const block of blocks) this.#take(block);
    });
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

  #take(block: string): void {
    const fields = new Map<string, string>();
    for (const line of block.split("\n")) {
      const [, name = "", value = ""] = /^([^:]*):? ?(.*)$/s.exec(line) ?? [];
      if (name === "") this.comments.push(value);
      else fields.set(name, value);
    }
    const data = fields.get("data");
    if (data === undefined) return;
    this.events.push({
      event: fields.get("event") ?? "message",
      seq: Number(fields.get("id")),
      payload: JSON.parse(data),
    });
  }
}
