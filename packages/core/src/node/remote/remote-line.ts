import { AsyncLocalStorage } from "node:async_hooks";
import type { DeskLink } from "../threads/answer-desk.ts";
import { QuestionLine } from "../threads/question-line.ts";
import type { CurrentTask } from "../threads/unwanted.ts";
import type { RemoteFile } from "./remote-sessions.ts";
import type { RemoteSource } from "./remote-source.ts";

interface Asking {
  task: CurrentTask;
  /** What the task has been told of files, by path. */
  files: Map<string, RemoteFile>;
}

/** Asks for remote sessions in the name of the task that runs. */
export class RemoteLine {
  readonly #line: QuestionLine<RemoteSource>;
  /** A thread may have two tasks, of which one waits for a module to be loaded. */
  readonly #asking = new AsyncLocalStorage<Asking>();

  constructor(link: DeskLink) {
    this.#line = new QuestionLine(link);
  }

  /** Runs a task that may ask. */
  run<T>(task: CurrentTask, action: () => T): T {
    return this.#asking.run({ task, files: new Map() }, action);
  }

  /** Takes note of a file for which the task then need not ask. */
  expect(path: string, file: RemoteFile): void {
    this.#current.files.set(path, file);
  }

  /** `null` where there is none. */
  file(path: string): RemoteFile | null {
    return this.#current.files.get(path) ?? this.ask("file", path);
  }

  /** See {@link QuestionLine.ask}. */
  ask<Name extends keyof RemoteSource>(
    name: Name,
    ...input: Parameters<RemoteSource[Name]>
  ): Awaited<ReturnType<RemoteSource[Name]>> {
    return this.#line.ask(this.#current.task, name, ...input);
  }

  get #current(): Asking {
    const asking = this.#asking.getStore();
    if (asking === undefined) throw new Error("Remote sessions are read outside of a task.");
    return asking;
  }
}
