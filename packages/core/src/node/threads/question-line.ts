import { receiveMessageOnPort } from "node:worker_threads";
import { AppError } from "../../errors.ts";
import { type Answer, CLOSED, type DeskLink, NEWS, type Question, type Source } from "./answer-desk.ts";
import { errorOf } from "./task-failure.ts";
import type { CurrentTask } from "./unwanted.ts";

/** Longer than a statement of a database may take: an answer that does not come then has been lost. */
const ANSWER_TIMEOUT_MS = 65_000;

/** The questions of a thread to the one that has started it, asked and answered within a call. */
export class QuestionLine<Methods extends Source<Methods>> {
  readonly #link: DeskLink;
  readonly #timeoutMs: number;
  #lastId = 0;

  /** @param timeoutMs after which an answer has been lost. */
  constructor(link: DeskLink, timeoutMs = ANSWER_TIMEOUT_MS) {
    this.#link = link;
    this.#timeoutMs = timeoutMs;
  }

  /**
   * Waits for the answer.
   *
   * @throws UnwantedError if the task is cancelled meanwhile; AppError `UNAVAILABLE` if the service stops or the answer
   * is lost; what is thrown in the other thread.
   */
  ask<Name extends string & keyof Methods>(
    task: CurrentTask,
    name: Name,
    ...input: Parameters<Methods[Name]>
  ): Awaited<ReturnType<Methods[Name]>> {
    const { port, signal } = this.#link;
    const id = ++this.#lastId;
    port.postMessage({ id, task: task.id, name, input } satisfies Question);
    const end = performance.now() + this.#timeoutMs;
    for (;;) {
      const news = Atomics.load(signal, NEWS);
      const answer = this.#received(id);
      // The desk answers with what the method of this name gives.
      if (answer !== null && "output" in answer) return answer.output as Awaited<ReturnType<Methods[Name]>>;
      if (answer !== null) throw errorOf(answer.failure);
      task.check();
      if (Atomics.load(signal, CLOSED) === 1) throw interrupted("The service is stopping");
      const left = end - performance.now();
      if (left <= 0) throw interrupted("The session did not come in time");
      Atomics.wait(signal, NEWS, news, left);
    }
  }

  /** Answers to former questions came too late. */
  #received(id: number): Answer | null {
    for (;;) {
      const received = receiveMessageOnPort(this.#link.port);
      if (received === undefined) return null;
      const answer = received.message as Answer;
      if (answer.id === id) return answer;
    }
  }
}

function interrupted(reason: string): AppError {
  return new AppError("UNAVAILABLE", `${reason}; try again in a moment.`);
}
