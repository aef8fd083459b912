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
  type EventBus,
  kindOf,
  type Subscriber,
  type Subscription,
  type Topic,
} from "@sm/router/events";
import type { RawData, WebSocket } from "ws";
import { eventFrame } from "./event-frame.ts";
import { encodeAnswer, type IncomingRequest } from "./message.ts";
import { Outbox } from "./outbox.ts";
import { watchStranger } from "./probation.ts";
import { type Answer, RequestQueue, type RequestSource } from "./request-queue.ts";

/** What all connections share. */
export interface ConnectionContext {
  dispatcher: Dispatcher;
  bus: EventBus;
  gate: Pick<Gate, "admit" | "authenticate" | "onEnd">;
  log: DispatchLog;
  /** Requests that may run at a time. */
  inFlight: number;
  /** Milliseconds that a client has to authenticate. */
  authMs: number;
  /** Milliseconds in which a full connection has to get something out. */
  stallMs: number;
  onClose(connection: Connection): void;
}

/**
 * Close codes: the service goes away and an answer broke off (RFC 6455), and the client has no right (or none any more)
 * to be here.
 */
const GOING_AWAY = 1001;
const INTERNAL_ERROR = 1011;
const UNAUTHORIZED = 4401;

/** Far above what a page shows at a time. */
const MAX_TOPICS = 1_000;

const MAX_MISSED_BEATS = 2;

let connections = 0;

/**
 * One WebSocket, from the upgrade to its end.
 *
 * A client that does not read is not read either: while the socket's buffer is full, no request is started, and events
 * are left to the bus, which bounds them.
 */
export class Connection implements RequestSource, Subscriber {
  readonly afterSeq: number | null;
  /** Its own, since connections of one client take turns. */
  readonly #name = `WebSocket ${++connections}`;
  readonly #webSocket: WebSocket;
  readonly #socket: Socket;
  readonly #context: ConnectionContext;
  readonly #requests = new RequestQueue(this);
  readonly #outbox: Outbox;
  #admission: Admission;
  #state: "open" | "finishing" | "ended" = "open";
  #subscription: Subscription | null = null;
  /** Stops watching what would end the connection: a token that ends, or none that comes. */
  #stopWatching: () => void;
  /** Ends what is still at work for the client when it has gone. */
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
    // As many listen as commands are under way.
    setMaxListeners(0, this.#gone.signal);
    this.#webSocket = webSocket;
    this.#socket = socket;
    this.#admission = admission;
    this.afterSeq = afterSeq;
    this.#context = context;
    this.#outbox = new Outbox(webSocket, socket, {
      onBroken: (error) => {
        context.log.error({ err: error }, "An answer broke off.");
        this.end(INTERNAL_ERROR, "An answer broke off.");
      },
      onIdle: () => this.#proceed(),
    });
    webSocket.on("message", (data, isBinary) => this.#handleMessage(data, isBinary));
    // Protocol errors: ws has closed the connection already.
    webSocket.on("error", () => this.#release());
    webSocket.on("close", () => {
      this.#release();
      context.onClose(this);
    });
    socket.on("drain", () => this.#onDrain());
    // Node counts progress within one large write as activity, so a slow client is not cut off.
    socket.setTimeout(context.stallMs, () => this.terminate());
    if (this.#isAuthenticated) {
      this.#stopWatching = this.#watchToken();
      this.#listen();
    } else {
      this.#stopWatching = watchStranger(socket, {
        authMs: context.authMs,
        onTimeout: () => this.end(UNAUTHORIZED, "No token was sent in time."),
        onFlood: () => this.terminate(),
      });
    }
  }

  mayStart(running: number): boolean {
    // Strictly one after another before `auth`, so that its answer comes before everything that follows from it.
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
    // Only `ping` comes here without authentication.
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

  /** Asks for a sign of life; ends the connection if two were not given. */
  beat(): void {
    const { bytesRead, writableNeedDrain: isFull } = this.#socket;
    // Any byte is one: a pong has to wait behind a large message. None can be seen while nothing is read.
    if (bytesRead > this.#bytesRead || isFull || this.#webSocket.isPaused) this.#missedBeats = 0;
    this.#bytesRead = bytesRead;
    // A ping would not get out.
    if (isFull) return;
    if (this.#missedBeats === MAX_MISSED_BEATS) {
      this.terminate();
      return;
    }
    this.#missedBeats += 1;
    this.#webSocket.ping();
  }

  /** Starts nothing more, and ends the connection when everything that runs is answered. */
  finish(): void {
    if (this.#state === "open") this.#state = "finishing";
    this.#requests.clear();
    if (this.#requests.running === 0) this.onIdle();
  }

  /** Closes the connection at once; answers that are not sent yet are dropped. */
  end(code: number, reason: string): void {
    if (this.#state === "ended") return;
    this.#release();
    // Or the client's part of the closing handshake would never be read.
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
    // First, or a client that is slower than a terminal could not even interrupt it: events fill the socket again.
    this.#requests.advance();
    this.#subscription?.resume();
  }

  #authenticate(payload: unknown): Answer {
    const { token } = validate(connectionCommands.auth.input, payload);
    const { gate } = this.#context;
    try {
      if (!this.#admission.caller.local) this.#admit(gate.authenticate(token, this.#admission));
    } catch (error) {
      const afterwards = () => this.end(UNAUTHORIZED, "The token was refused.");
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
      this.end(UNAUTHORIZED, "The token of this connection has ended.");
    });
  }

  #listen(): Subscription {
    this.#subscription ??= this.#context.bus.subscribe(this);
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

  /** Turns on the topics of what the client has just opened; the oldest of the kind make room for them. */
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
