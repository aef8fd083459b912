import { CommandError, ConnectionError, closedError } from "./errors.ts";
import { dataOf } from "./response-data.ts";

/** The parts of WebSocket that the client uses, as in browsers and in the package `ws`. */
export interface WebSocketLike {
  send(data: string): void;
  close(): void;
  addEventListener(type: "open" | "error", listener: () => void): void;
  addEventListener(type: "message", listener: (event: { data: unknown }) => void): void;
  addEventListener(type: "close", listener: (event: { code: number; reason: string }) => void): void;
}

export type WebSocketConstructor = new (url: string) => WebSocketLike;

export interface SocketOptions {
  WebSocket: WebSocketConstructor;
  url: URL;
  /** Sent as the first message: in the URL it would appear in the logs of proxies. */
  token: string | null;
}

/** A JSON object from the service. */
export type ServerMessage = Record<string, unknown>;

export interface SocketListener {
  /** Open, and the token is accepted. */
  onReady(): void;
  onMessage(message: ServerMessage): void;
  /** Called once, with the reason; no other callback follows. */
  onEnd(error: Error): void;
}

/** One connection, from the attempt to its end. */
export interface Socket {
  send(text: string): void;
  close(): void;
}

const UNAUTHORIZED_CLOSE = 4401;
const MESSAGE_TOO_BIG_CLOSE = 1009;

/**
 * After this silence the client sends a ping, and the service has the same time to respond. Browsers do not expose the
 * service's own pings.
 */
const SILENCE_MS = 20_000;

/** IDs of the connection's own requests; IDs of calls are numbers. */
const AUTH = "auth";
const PROBE = "probe";

/** The connection ended because a message was too large for the service. */
export class MessageTooBigError extends ConnectionError {
  constructor() {
    super("NO_ANSWER", "The service closed the connection because a message was too large.");
  }
}

/** Opens a connection and monitors it. */
export function openSocket({ WebSocket, url, token }: SocketOptions, listener: SocketListener): Socket {
  const socket = new WebSocket(url.href);
  let isOpen = false;
  let ended = false;
  let probed = false;
  let watchdog = setTimeout(onSilence, SILENCE_MS);

  socket.addEventListener("open", () => {
    if (ended) return;
    isOpen = true;
    if (token === null) listener.onReady();
    else socket.send(JSON.stringify({ id: AUTH, command: "auth", payload: { token } }));
  });
  // Every error is followed by `close`.
  socket.addEventListener("error", () => {});
  socket.addEventListener("close", ({ code, reason }) => end(describeClose(code, reason, url)));
  socket.addEventListener("message", ({ data }) => {
    if (ended) return;
    probed = false;
    clearTimeout(watchdog);
    watchdog = setTimeout(onSilence, SILENCE_MS);
    const message = readMessage(data);
    if (message === null) return end(new ConnectionError("BAD_ANSWER", `${url.origin} is not Session Manager.`));
    if (message.id === AUTH) finishAuth(message);
    else if (message.id !== PROBE) listener.onMessage(message);
  });

  return {
    send: (text) => socket.send(text),
    close: () => end(closedError()),
  };

  function finishAuth(answer: ServerMessage): void {
    try {
      dataOf(answer);
    } catch (error) {
      end(error as CommandError | ConnectionError);
      return;
    }
    listener.onReady();
  }

  function onSilence(): void {
    // No ping before the connection is open.
    if (probed || !isOpen) {
      end(new ConnectionError("NO_ANSWER", `${url.origin} stopped responding.`));
      return;
    }
    probed = true;
    watchdog = setTimeout(onSilence, SILENCE_MS);
    socket.send(JSON.stringify({ id: PROBE, command: "ping" }));
  }

  /** Does not wait for the closing handshake, which a dead connection never completes. */
  function end(error: Error): void {
    if (ended) return;
    ended = true;
    clearTimeout(watchdog);
    socket.close();
    listener.onEnd(error);
  }
}

function readMessage(data: unknown): ServerMessage | null {
  try {
    const message: unknown = JSON.parse(String(data));
    return typeof message === "object" && message !== null ? (message as ServerMessage) : null;
  } catch {
    return null;
  }
}

function describeClose(code: number, reason: string, url: URL): Error {
  if (code === UNAUTHORIZED_CLOSE) return new CommandError("UNAUTHORIZED", reason || "The service requires a token.");
  if (code === MESSAGE_TOO_BIG_CLOSE) return new MessageTooBigError();
  return new ConnectionError("NO_ANSWER", `The connection to ${url.origin} is closed (${code}).`);
}
