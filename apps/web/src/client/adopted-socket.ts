import { type Client, type ClientOptions, createClient, type WebSocketConstructor } from "@sm/router/client";
import { EARLY, type EarlyConnection } from "./early-connection.ts";
import type { Question } from "./first-questions.ts";

/** A message of the service to a question that was asked early, and the place of that. */
const ANSWER = new RegExp(`^\\{"id":"${EARLY}(\\d+)","command":"\\w+","success":(true|false)`);
/** An event, but for the first of a connection. */
const EVENT = /^\{"event":"(?!hello")/;

interface Listener {
  type: string;
  listener(event: never): void;
}

/**
 * Makes clients, the first of which goes on with a connection that was opened early: a call that was asked there already,
 * with the same payload, gets the answer that is there or on its way, once.
 */
export function adoptConnection(early: EarlyConnection | undefined): (options: ClientOptions) => Client {
  let left = early ?? null;
  return (options) => {
    const taken = left;
    left = null;
    if (taken === null) return createClient(options);
    if (options.transport !== "websocket" || (options.token ?? null) !== taken.token) {
      taken.socket.close();
      return createClient(options);
    }
    return createClient({ ...options, WebSocket: socketsFrom(taken) });
  };
}

/** Resolves when everything that was asked early has been answered, or has no answer; at the latest after a time. */
export function firstAnswers(early: EarlyConnection | undefined, timeoutMs: number): Promise<void> {
  return new Promise((resolve) => {
    if (early === undefined || isSettled(early)) return resolve();
    const timer = setTimeout(finish, timeoutMs);
    early.socket.addEventListener("message", look);
    early.socket.addEventListener("close", finish);
    function look(): void {
      if (isSettled(early as EarlyConnection)) finish();
    }
    function finish(): void {
      clearTimeout(timer);
      early?.socket.removeEventListener("message", look);
      early?.socket.removeEventListener("close", finish);
      resolve();
    }
  });
}

function isSettled({ socket, asked, happened }: EarlyConnection): boolean {
  const answers = happened.filter((event) => "data" in event && ANSWER.test(event.data));
  return socket.readyState > WebSocket.OPEN || answers.length >= asked.length;
}

function socketsFrom(early: EarlyConnection): WebSocketConstructor {
  let left: EarlyConnection | null = early;
  function socketTo(url: string): AdoptedSocket | WebSocket {
    const taken = left;
    left = null;
    if (taken?.url === url) return new AdoptedSocket(taken);
    taken?.socket.close();
    return new WebSocket(url);
  }
  // With `new`, a function gives what it returns.
  return socketTo as unknown as WebSocketConstructor;
}

/** A question that nobody has had the answer to. */
interface OpenQuestion extends Question {
  readonly text: string;
  answer: string | null;
  /** The call that waits for the answer. */
  call: { id: unknown; text: string } | null;
}

/** The part of a WebSocket that a client uses, on one that has been in use before. */
class AdoptedSocket {
  readonly #socket: WebSocket;
  readonly #listeners: Listener[] = [];
  readonly #open = new Map<number, OpenQuestion>();

  constructor(early: EarlyConnection) {
    this.#socket = early.socket;
    for (const [place, question] of early.asked.entries()) {
      this.#open.set(place, { ...question, text: textOf(question), answer: null, call: null });
    }
    // Nobody has followed them: what was answered before may lack what they tell.
    if (early.happened.some((event) => "data" in event && EVENT.test(event.data))) this.#forget();
    // Whoever has made it listens by then.
    queueMicrotask(() => {
      for (const event of early.happened.splice(0)) this.#take(event);
      early.tell = (event) => this.#take(event);
    });
  }

  addEventListener(type: string, listener: (event: never) => void): void {
    this.#listeners.push({ type, listener });
  }

  send(text: string): void {
    const asked = this.#open.size === 0 ? null : (JSON.parse(text) as Question & { id: unknown });
    const same = asked === null ? undefined : this.#unasked(textOf(asked));
    if (asked === null || same === undefined) {
      this.#socket.send(text);
      return;
    }
    const [place, question] = same;
    question.call = { id: asked.id, text };
    // As any answer, after the call.
    queueMicrotask(() => this.#answer(place, question));
  }

  close(): void {
    this.#socket.close();
  }

  #unasked(text: string): [number, OpenQuestion] | undefined {
    return [...this.#open].find(([, question]) => question.call === null && question.text === text);
  }

  #take(event: Event): void {
    const data = event instanceof MessageEvent ? String(event.data) : "";
    const [, place, isDone] = ANSWER.exec(data) ?? [];
    if (place !== undefined) {
      this.#takeAnswer(Number(place), isDone === "true" ? data : null);
      return;
    }
    if (EVENT.test(data)) this.#forget();
    this.#tell(event.type, event);
  }

  /** @param answer `null`: it has failed. */
  #takeAnswer(place: number, answer: string | null): void {
    const question = this.#open.get(place);
    if (question === undefined) return;
    question.answer = answer;
    if (answer !== null) this.#answer(place, question);
    else {
      // It is asked as if it never had been.
      this.#open.delete(place);
      if (question.call !== null) this.#socket.send(question.call.text);
    }
  }

  #answer(place: number, { answer, call }: OpenQuestion): void {
    if (answer === null || call === null || !this.#open.delete(place)) return;
    const data = answer.replace(JSON.stringify(EARLY + place), () => JSON.stringify(call.id));
    this.#tell("message", { data });
  }

  /** Has everything asked again that no call waits for. */
  #forget(): void {
    for (const [place, { command, call }] of this.#open) {
      if (call === null && command !== "auth") this.#open.delete(place);
    }
  }

  #tell(type: string, event: object): void {
    for (const one of [...this.#listeners]) if (one.type === type) one.listener(event as never);
  }
}

function textOf({ command, payload }: Question): string {
  return JSON.stringify({ command, payload });
}
