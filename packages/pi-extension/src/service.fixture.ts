import { EventEmitter, once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo, Socket } from "node:net";

interface Call {
  command: string;
  // biome-ignore lint/suspicious/noExplicitAny: whatever a test expects of it.
  payload: any;
  headers: IncomingHttpHeaders;
}

/** A service that writes down what it is told, and asks for what a test wants. */
export class TestService implements AsyncDisposable {
  /** Registrations and reports, in order. */
  readonly calls: Call[] = [];
  readonly #arrivals = new EventEmitter();
  readonly #server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (part: string) => {
      body += part;
    });
    request.on("end", () => {
      const { command, payload } = JSON.parse(body);
      const answer = (data: unknown) => response.end(JSON.stringify({ success: true, data, error: null }));
      if (command === "take_coding_session_requests") {
        this.#wanted = this.#wanted.filter(({ id }) => !payload.received.includes(id));
        this.#wait(answer, request.socket);
      } else if (command === "report_coding_session" && payload.done.length > 0 && this.reportsLost > 0) {
        this.reportsLost -= 1;
        request.socket.destroy();
      } else {
        this.calls.push({ command, payload, headers: request.headers });
        this.#arrivals.emit("call");
        if (this.refusal === null) answer({});
        else response.end(JSON.stringify({ success: false, data: null, error: this.refusal }));
      }
    });
  });
  /** What registrations and reports are answered with, if not with success. */
  refusal: { code: string; message: string } | null = null;
  /** How many answers with requests get lost with their connection. */
  answersLost = 0;
  /** How many reports of requests that were carried out get lost with their connection. */
  reportsLost = 0;
  /** Until it is known to be received. */
  #wanted: { id: string }[] = [];
  #give: () => void = () => {};

  /** On a free port, or on the one of a service that has ended. */
  static async start(port = 0): Promise<TestService> {
    const service = new TestService();
    service.#server.listen(port, "127.0.0.1");
    await once(service.#server, "listening");
    return service;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Asks the session for something. */
  want(request: { id: string; [field: string]: unknown }): void {
    this.#wanted.push(request);
    this.#give();
  }

  #wait(answer: (data: unknown) => void, connection: Socket): void {
    this.#give = () => {
      if (this.#wanted.length === 0) return;
      this.#give = () => {};
      if (this.answersLost === 0) answer(this.#wanted);
      else {
        this.answersLost -= 1;
        connection.destroy();
      }
    };
    this.#give();
  }

  /** Waits until `find` finds something in what was told. */
  async until<Found>(find: (calls: readonly Call[]) => Found | undefined): Promise<Found> {
    for (;;) {
      const found = find(this.calls);
      if (found !== undefined) return found;
      await once(this.#arrivals, "call");
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = once(this.#server, "close");
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }
}
