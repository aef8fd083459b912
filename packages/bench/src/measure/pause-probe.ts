import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { programUrl } from "./program-url.ts";

/** The longest pauses of an event loop. */
export interface Pauses {
  milliseconds: number;
  /** Processor time of the main thread between two looks: what the rest of the machine does adds nothing to it. */
  processorMilliseconds: number;
}

/** Asks a process that has loaded `programs/pause-probe` how long its event loop has paused. */
export class PauseProbe {
  readonly #child: ChildProcess;

  constructor(child: ChildProcess) {
    this.#child = child;
  }

  /** Starts a process that does nothing: its pauses are those of the machine. */
  static startStill(): PauseProbe & Disposable {
    const child = fork(fileURLToPath(programUrl("pause-probe")));
    return Object.assign(new PauseProbe(child), { [Symbol.dispose]: () => void child.kill("SIGKILL") });
  }

  /** The longest pauses since the last call. */
  async longest(): Promise<Pauses> {
    const answer = once(this.#child, "message");
    this.#child.send("longest");
    const [pauses] = await answer;
    return pauses as Pauses;
  }
}
