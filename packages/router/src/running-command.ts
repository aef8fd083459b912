import type { AppError, Asker } from "@sm/core";
import type { Deadlines } from "./deadlines.ts";

/** A command under way: who asks for it, and until when. */
export class RunningCommand implements Asker {
  readonly client: string | undefined;
  readonly connection: string | undefined;
  readonly #name: string;
  readonly #clientSignal: AbortSignal | undefined;
  readonly #deadlines: Deadlines;
  /** Made when it is asked for: most commands are answered at once. */
  #controller: AbortController | null = null;

  constructor(name: string, { client, connection, signal }: Asker, deadlines: Deadlines) {
    this.#name = name;
    this.client = client;
    this.connection = connection;
    this.#clientSignal = signal;
    this.#deadlines = deadlines;
  }

  /** Aborted when the client has gone or a deadline has passed. */
  get signal(): AbortSignal {
    if (this.#controller === null) {
      this.#controller = new AbortController();
      if (this.#clientSignal?.aborted) this.#onClientGone();
      else this.#clientSignal?.addEventListener("abort", this.#onClientGone);
    }
    return this.#controller.signal;
  }

  /** Settles as `work` does; rejects with AppError `TIMEOUT` where that takes too long. */
  readonly within = <Result>(work: Promise<Result>): Promise<Result> =>
    this.#deadlines.within(work, this.#name, this.#abort);

  /** To be called when the answer is complete: the connection may stay for days. */
  readonly end = (): void => this.#clientSignal?.removeEventListener("abort", this.#onClientGone);

  readonly #onClientGone = (): void => this.#controller?.abort(this.#clientSignal?.reason);

  readonly #abort = (error: AppError): void => this.#controller?.abort(error);
}
