import type { Question } from "./first-questions.ts";

/** A connection that was opened, and what was asked over it, before the program of the page was there. */
export interface EarlyConnection {
  readonly url: string;
  readonly token: string | null;
  readonly socket: WebSocket;
  /** What was sent, with ids of their own, in this order. */
  readonly asked: readonly Question[];
  /** What has happened on it, in order, until `tell` is set. */
  readonly happened: (Event | MessageEvent<string> | CloseEvent)[];
  /** Gets what happens from now on. */
  tell: ((event: Event) => void) | null;
}

/** What the ids of these questions begin with; those of the program are numbers. */
export const EARLY = "early-";

/** Connects to the service, and asks as soon as it listens. */
export function connectEarly(url: string, token: string | null, questions: readonly Question[]): EarlyConnection {
  const socket = new WebSocket(url);
  const authentication = token === null ? [] : [{ command: "auth", payload: { token } }];
  const asked = [...authentication, ...questions];
  const early: EarlyConnection = { url, token, socket, asked, happened: [], tell: null };
  const send = (from: number, to: number) => {
    for (const [at, { command, payload }] of asked.entries()) {
      if (at >= from && at < to) socket.send(JSON.stringify({ id: EARLY + at, command, payload }));
    }
  };
  const first = authentication.length || asked.length;
  socket.addEventListener("open", () => send(0, first));
  // Before the service has accepted the token, it takes next to nothing.
  socket.addEventListener("message", () => send(first, asked.length), { once: true });
  for (const type of ["open", "message", "error", "close"]) {
    socket.addEventListener(type, (event) => {
      if (early.tell === null) early.happened.push(event);
      else early.tell(event);
    });
  }
  return early;
}
