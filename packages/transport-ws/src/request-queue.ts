import type { CommandResponse } from "@sm/router";
import type { RawData } from "ws";
import { AnswerOrder } from "./answer-order.ts";
import { decodeRequest, type IncomingRequest } from "./request-message.ts";

/** The response to a request, and what to do after it is sent. */
export interface Answer {
  response: CommandResponse;
  afterwards?: () => void;
}

/** What the queue needs from its connection. */
export interface RequestSource {
  /** Whether another request may start in addition to `running` ones. */
  mayStart(running: number): boolean;
  /** Never throws and never rejects. */
  answer(request: IncomingRequest): Answer | Promise<Answer>;
  /** @returns what resolves when the answer is sent, or never will be; nothing where that is so already. */
  reply(request: IncomingRequest, response: CommandResponse): Promise<void> | undefined;
  /** Pauses or resumes reading; data already read still arrives. */
  setReading(reading: boolean): void;
  /** No request is running. */
  onIdle(): void;
}

interface Message {
  data: RawData;
  isBinary: boolean;
}

/**
 * Queues the requests of a connection that cannot start yet. Reading is paused while there are any, so they are never
 * more than one read of the socket contains.
 */
export class RequestQueue {
  readonly #source: RequestSource;
  readonly #order = new AnswerOrder();
  #waiting: Message[] = [];
  #running = 0;

  constructor(source: RequestSource) {
    this.#source = source;
  }

  /** Requests whose response is not sent yet, including those that wait for an earlier response. */
  get running(): number {
    return this.#running;
  }

  push(data: RawData, isBinary: boolean): void {
    this.#waiting.push({ data, isBinary });
    this.advance();
  }

  /** Starts requests that may start now. */
  advance(): void {
    while (this.#waiting.length > 0 && this.#source.mayStart(this.#running)) {
      const message = this.#waiting.shift();
      if (message !== undefined) this.#start(decodeRequest(message.data, message.isBinary));
    }
    this.#source.setReading(this.#waiting.length === 0);
  }

  clear(): void {
    this.#waiting = [];
  }

  #start(request: IncomingRequest): void {
    this.#running += 1;
    const inTurn = request.id === undefined ? this.#order.next() : null;
    const finish = ({ response, afterwards }: Answer) => {
      const onSent = () => {
        this.#running -= 1;
        afterwards?.();
      };
      const act = () => {
        const sending = this.#source.reply(request, response);
        if (sending === undefined) onSent();
        else void sending.then(onSent).then(() => this.#proceed());
      };
      if (inTurn === null) act();
      else inTurn(act);
    };
    const answer = this.#source.answer(request);
    if (answer instanceof Promise) void answer.then(finish).then(() => this.#proceed());
    else finish(answer);
  }

  #proceed(): void {
    this.advance();
    if (this.#running === 0) this.#source.onIdle();
  }
}
