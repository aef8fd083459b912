import { MessageChannel, type MessagePort } from "node:worker_threads";
import { failureOf, type TaskFailure } from "./task-failure.ts";

/** What a thread may ask the one that has started it. */
// biome-ignore lint/suspicious/noExplicitAny: each method has parameters of its own.
export type Source<Methods> = { [Name in keyof Methods]: (...input: any[]) => Promise<unknown> };

/** Shared memory of the thread that waits and the one that answers. */
export type DeskSignal = Int32Array<SharedArrayBuffer>;

/** Grows with each answer, and with whatever else the waiting thread has to look at. */
export const NEWS = 0;
/** 1: there are no more answers. */
export const CLOSED = 1;

/** What a thread needs to ask. */
export interface DeskLink {
  port: MessagePort;
  signal: DeskSignal;
}

export interface Question {
  id: number;
  /** Number of the task that asks. */
  task: number;
  name: string;
  input: readonly unknown[];
}

export type Answer = { id: number; output: unknown } | { id: number; failure: TaskFailure };

/** Answers what the tasks of one thread ask, each from the source that it was given. */
export class AnswerDesk {
  /** For the thread, to which its port is transferred. */
  readonly link: DeskLink;
  readonly #port: MessagePort;
  readonly #signal: DeskSignal;
  /** By number of the task. */
  readonly #sources = new Map<number, object>();

  constructor() {
    const { port1, port2 } = new MessageChannel();
    this.#signal = new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT));
    this.link = { port: port2, signal: this.#signal };
    this.#port = port1;
    // Sent by `QuestionLine`.
    port1.on("message", (question: Question) => void this.#answer(question));
    // The thread that works keeps the process alive.
    port1.unref();
  }

  begin(task: number, source: object): void {
    this.#sources.set(task, source);
  }

  end(task: number): void {
    this.#sources.delete(task);
  }

  /** Makes a waiting thread look whether its task is still wanted. */
  wake(): void {
    Atomics.add(this.#signal, NEWS, 1);
    Atomics.notify(this.#signal, NEWS);
  }

  /** Fails the question whose answer the thread waits for, and all that come. */
  close(): void {
    Atomics.store(this.#signal, CLOSED, 1);
    this.wake();
    this.#sources.clear();
    this.#port.close();
  }

  async #answer(question: Question): Promise<void> {
    const answer = await this.#answerTo(question);
    this.#port.postMessage(answer);
    this.wake();
  }

  async #answerTo({ id, task, name, input }: Question): Promise<Answer> {
    try {
      const source = this.#sources.get(task);
      if (source === undefined) throw new Error("A task asks that has nobody to answer.");
      // `QuestionLine.ask` sends the name and the input of a method of the source.
      const method = (source as Source<Record<string, unknown>>)[name];
      return { id, output: await method?.apply(source, [...input]) };
    } catch (error) {
      return { id, failure: failureOf(error) };
    }
  }
}
