import type { WebSocket } from "ws";
import { openSocket } from "./socket.ts";

/** A push event as it comes. */
export interface PushEvent {
  event: string;
  payload: Record<string, unknown>;
}

interface Answer {
  id: number;
  success: boolean;
  data: unknown;
  error: { message: string } | null;
}

/** One WebSocket, for commands and for the events that they turn on. */
export class ServiceSocket {
  /** Is given every push event, before the answer that turned it on perhaps. */
  onEvent: (event: PushEvent) => void = () => {};
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, (answer: Answer) => void>();
  #requests = 0;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on("message", (data: Buffer) => this.#take(JSON.parse(data.toString()) as Answer | PushEvent));
  }

  static async open(url: string): Promise<ServiceSocket> {
    return new ServiceSocket(await openSocket(url));
  }

  /** Sends a command and gives its data. */
  async command<Data>(command: string, payload: object): Promise<Data> {
    const id = ++this.#requests;
    const answer = await new Promise<Answer>((resolve) => {
      this.#waiting.set(id, resolve);
      this.#socket.send(JSON.stringify({ id, command, payload }));
    });
    if (!answer.success) throw new Error(`${command} failed: ${answer.error?.message}`);
    return answer.data as Data;
  }

  close(): void {
    this.#socket.terminate();
  }

  #take(message: Answer | PushEvent): void {
    if ("event" in message) {
      this.onEvent(message);
      return;
    }
    this.#waiting.get(message.id)?.(message);
    this.#waiting.delete(message.id);
  }
}
