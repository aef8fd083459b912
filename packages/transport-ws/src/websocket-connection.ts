import { setMaxListeners } from "node:events";
import type { Socket } from "node:net";
import {
  type CommandResponse,
  checkTopics,
  clientGone,
  connectionCommands,
  type Dispatcher,
  type DispatchLog,
  errorBody,
  failure,
  invalidPayload,
  unauthorized,
  validate,
} from "@sm/router";
import { type Admission, clientName, type Gate } from "@sm/router/access";
import {
  type BusEvent,
  type EventSource,
  kindOf,
  type Subscriber,
  type Subscription,
  type Topic,
} from "@sm/router/events";
import type { RawData, WebSocket } from "ws";
import { eventFrame } from "./event-frame.ts";
import { limitUnauthenticated } from "./limit-unauthenticated.ts";
import { Outbox } from "./outbox.ts";
import { encodeAnswer, type IncomingRequest } from "./request-message.ts";
import { type Answer, RequestQueue, type RequestSource } from "./request-queue.ts";

/** Shared by all connections. */
export interface ConnectionContext {
  dispatcher: Dispatcher;
  bus: EventSource;
  gate: Pick<Gate, "admit" | "authenticate" | "onEnd">;
  log: DispatchLog;
  /** Maximum number of concurrent requests. */
  inFlight: number;
  /** Milliseconds in which a client must authenticate. */
  authMs: number;
  /** Milliseconds in which a full connection must make progress. */
  stallMs: number;
  onClose(connection: Connection): void;
}

/** Close codes: shutdown and interrupted response (RFC 6455), and unauthorized. */
const GOING_AWAY = 1001;
const INTERNAL_ERROR = 1011;
const UNAUTHORIZED = 4401;

/** Far more than a page uses. */
const MAX_TOPICS = 1_000;

const MAX_MISSED_BEATS = 2;

let connections = 0;

/**
 * One WebSocket, from upgrade to end.
 *
 * While the socket's buffer is full, because the client does not read, no request is read or started, and events are
 * queued by the bus, with limits.
 */
export class Connection implements RequestSource, Subscriber {
  readonly afterSeq: number | null;
  /** Per connection, because connections of one client take turns. */
  readonly #name = `WebSocket ${++connections}`;
  readonly #webSocket: WebSocket;
  readonly #socket: Socket;
  readonly #context: ConnectionContext;
  readonly #requests = new RequestQueue(this);
  readonly #outbox: Outbox;
  #admission: Admission;
  #state: "open" | "finishing" | "ended" = "open";
  #subscription: Subscription | null = null;
  /** Stops waiting for the end of the token, or for a token. */
  #stopWatching: () => void;
  /** Aborts running work when the client disconnects. */
  readonly #gone = new AbortController();
  #missedBeats = 0;
  #bytesRead = 0;

  constructor(
    webSocket: WebSocket,
    socket: Socket,
    admission: Admission,
    afterSeq: number | null,
    context: ConnectionContext,
  ) {
    // As many listeners as running commands.
    setMaxListeners(0, this.#gone.signal);
    this.#webSocket = webSocket;
    this.#socket = socket;
    this.#admission = admission;
    this.afterSeq = afterSeq;
    this.#context = context;
    this.#outbox = new Outbox(webSocket, socket, {
      onBroken: (error) => {
        context.log.error({ err: error }, "A response was interrupted.");
        this.end(INTERNAL_ERROR, "A response was interrupted.");
      },
      onIdle: () => this.#proceed(),
    });
    webSocket.on("message", (data, isBinary) => this.#handleMessage(data, isBinary));
    // Protocol errors: ws has already closed the connection.
    webSocket.on("error", () => this.#release());
    webSocket.on("close", () => {
      this.#release();
      context.onClose(this);
    });
    socket.on("drain", () => this.#onDrain());
    // Node counts progress within one large write as activity, so slow clients are not disconnected.
    socket.setTimeout(context.stallMs, () => this.terminate());
    if (this.#isAuthenticated) {
      this.#stopWatching = this.#watchToken();
      this.#listen();
    } else {
      this.#stopWatching = limitUnauthenticated(socket, {
        authMs: context.authMs,
        onTimeout: () => this.end(UNAUTHORIZED, "No token was sent in time."),
        onFlood: () => this.terminate(),
      });
    }
  }

  mayStart(running: number): boolean {
    // Strictly sequential before `auth`, so that its response comes before everything that depends on it.
    const limit = this.#isAuthenticated ? this.#context.inFlight : 1;
    return this.#state === "open" && running < limit && this.#takesMore;
  }

  answer(request: IncomingRequest): Answer | Promise<Answer> {
    const { command, payload, body, problem } = request;
    try {
      if (problem !== null) throw problem;
      if (command === "auth") return this.#authenticate(payload);
      if (!this.#isAuthenticated && command !== "ping") throw unauthorized(this.#admission.caller);
      if (command === "subscribe") return this.#subscribe(payload);
      if (command === "unsubscribe") return this.#unsubscribe(payload);
      if (command === "acknowledge_output") return this.#acknowledge(payload);
    } catch (error) {
      return { response: this.#failure(error, command) };
    }
    const { caller } = this.#admission;
    // Only `ping` is allowed without authentication.
    const scope = caller.scope ?? "read";
    const listen = (topics: readonly Topic[]) => this.#turnOn(topics);
    const asking = { signal: this.#gone.signal, client: clientName(this.#admission), connection: this.#name };
    return this.#context.dispatcher
      .dispatch(body, { ...caller, ...asking, scope, listen })
      .then((response) => ({ response }));
  }

  reply(request: IncomingRequest, response: CommandResponse): Promise<void> | undefined {
    return this.#outbox.send(encodeAnswer(request, response, this.#context.log));
  }

  setReading(reading: boolean): void {
    if (this.#webSocket.isPaused !== reading) return;
    if (reading) this.#webSocket.resume();
    else this.#webSocket.pause();
  }

  onIdle(): void {
    if (this.#state === "finishing") this.end(GOING_AWAY, "The service is stopping.");
  }

  send(event: BusEvent): boolean {
    void this.#outbox.send(eventFrame(event));
    return this.#takesMore;
  }

  /** Sends a ping; closes the connection after two missing responses. */
  beat(): void {
    const { bytesRead, writableNeedDrain: isFull } = this.#socket;
    // Any received byte counts: a pong has to wait behind a large message. Nothing arrives while reading is paused.
    if (bytesRead > this.#bytesRead || isFull || this.#webSocket.isPaused) this.#missedBeats = 0;
    this.#bytesRead = bytesRead;
    // A ping could not be sent.
    if (isFull) return;
    if (this.#missedBeats === MAX_MISSED_BEATS) {
      this.terminate();
      return;
    }
    this.#missedBeats += 1;
    this.#webSocket.ping();
  }

  /** Starts no more requests; closes the connection when all running ones are answered. */
  finish(): void {
    if (this.#state === "open") this.#state = "finishing";
    this.#requests.clear();
    if (this.#requests.running === 0) this.onIdle();
  }

  /** Closes the connection immediately; pending responses are dropped. */
  end(code: number, reason: string): void {
    if (this.#state === "ended") return;
    this.#release();
    // Otherwise the client's close frame would never be read.
    this.setReading(true);
    this.#webSocket.close(code, reason);
  }

  terminate(): void {
    this.#release();
    this.#webSocket.terminate();
  }

  get #isAuthenticated(): boolean {
    return this.#admission.caller.scope !== null;
  }

  #handleMessage(data: RawData, isBinary: boolean): void {
    if (this.#state === "open") this.#requests.push(data, isBinary);
  }

  get #takesMore(): boolean {
    return !this.#outbox.isBusy && !this.#socket.writableNeedDrain;
  }

  #onDrain(): void {
    this.#outbox.onDrain();
    this.#proceed();
  }

  #proceed(): void {
    if (this.#state === "ended" || !this.#takesMore) return;
    // Requests before events: otherwise a client slower than a terminal could not interrupt it, because events fill the
    // socket again.
    this.#requests.advance();
    this.#subscription?.resume();
  }

  #authenticate(payload: unknown): Answer {
    const { token } = validate(connectionCommands.auth.input, payload);
    const { gate } = this.#context;
    try {
      if (!this.#admission.caller.local) this.#admit(gate.authenticate(token, this.#admission));
    } catch (error) {
      const afterwards = () => this.end(UNAUTHORIZED, "The token was rejected.");
      return { response: this.#failure(error, "auth"), afterwards };
    }
    const data = { authenticated: true, scope: this.#admission.caller.scope };
    return { response: success(data), afterwards: () => this.#listen() };
  }

  #admit(admission: Admission): void {
    this.#admission = admission;
    this.#stopWatching();
    this.#stopWatching = this.#watchToken();
  }

  #watchToken(): () => void {
    return this.#context.gate.onEnd(this.#admission.caller, () => {
      this.end(UNAUTHORIZED, "The token of this connection has expired or was revoked.");
    });
  }

  #listen(): Subscription {
    this.#subscription ??= this.#context.bus.subscribe(this, this.#admission.caller);
    return this.#subscription;
  }

  #subscribe(payload: unknown): Answer {
    const { topics } = validate(connectionCommands.subscribe.input, payload);
    checkTopics(topics, this.#admission.caller);
    const subscription = this.#listen();
    if (new Set([...subscription.topics, ...topics]).size > MAX_TOPICS) {
      throw invalidPayload([{ path: "topics", message: `At most ${MAX_TOPICS} topics on one connection.` }]);
    }
    subscription.add(topics);
    return { response: success({ topics: [...subscription.topics] }) };
  }

  #unsubscribe(payload: unknown): Answer {
    const { topics } = validate(connectionCommands.unsubscribe.input, payload);
    const subscription = this.#listen();
    subscription.remove(topics);
    return { response: success({ topics: [...subscription.topics] }) };
  }

  #acknowledge(payload: unknown): Answer {
    const { id, seq } = validate(connectionCommands.acknowledge_output.input, payload);
    this.#listen().acknowledge(`terminal:${id}`, seq);
    return { response: success({ id, seq }) };
  }

  /**
   * Subscribes to topics of what the client opened; if there are too many, the oldest topics of the same kind are
   * removed.
   */
  #turnOn(topics: readonly Topic[]): void {
    if (this.#state === "ended") return;
    const subscription = this.#listen();
    subscription.add(topics);
    const surplus = subscription.topics.size - MAX_TOPICS;
    if (surplus > 0)
      subscription.remove([...subscription.topics].filter((topic) => kindOf(topic) !== "common").slice(0, surplus));
  }

  #failure(error: unknown, command: string | null): CommandResponse {
    return failure(errorBody(error, this.#context.log, { command }));
  }

  #release(): void {
    this.#state = "ended";
    this.#gone.abort(clientGone());
    this.#outbox.close();
    this.#requests.clear();
    this.#stopWatching();
    this.#subscription?.close();
  }
}

function success(data: unknown): CommandResponse {
  return { success: true, data, error: null };
}
