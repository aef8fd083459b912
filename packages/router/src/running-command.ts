import type { AppError, Requester } from "@sm/core";
import type { Deadlines } from "./deadlines.ts";

/** A running command: its caller and its time limit, if it has one. */
export class RunningCommand implements Requester {
  readonly client: string | undefined;
  readonly connection: string | undefined;
  readonly #name: string;
  readonly #clientSignal: AbortSignal | undefined;
  readonly #deadlines: Deadlines | null;
  /** Created on first use: most commands complete immediately. */
  #controller: AbortController | null = null;

  constructor(name: string, { client, connection, signal }: Requester, deadlines: Deadlines | null) {
    this.#name = name;
    this.client = client;
    this.connection = connection;
    this.#clientSignal = signal;
    this.#deadlines = deadlines;
  }

  /** Aborted when the client disconnects or the time limit is exceeded. */
  get signal(): AbortSignal {
    if (this.#controller === null) {
      this.#controller = new AbortController();
      if (this.#clientSignal?.aborted) this.#onClientGone();
      else this.#clientSignal?.addEventListener("abort", this.#onClientGone);
    }
    return this.#controller.signal;
  }

  /** Settles as `work` does; rejects with AppError `TIMEOUT` after the time limit. */
  readonly within = <Result>(work: Promise<Result>): Promise<Result> =>
    this.#deadlines === null ? work : this.#deadlines.within(work, this.#name, this.#abort);

  /** Must be called when the response is complete, because connections may stay open for days. */
  readonly end = (): void => this.#clientSignal?.removeEventListener("abort", this.#onClientGone);

  readonly #onClientGone = (): void => this.#controller?.abort(this.#clientSignal?.reason);

  readonly #abort = (error: AppError): void => this.#controller?.abort(error);
}
