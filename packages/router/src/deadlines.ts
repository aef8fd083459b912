import { AppError } from "@sm/core";

interface Running {
  name: string;
  /** Milliseconds of `performance.now()`. */
  endsAt: number;
  giveUp(error: AppError): void;
}

/**
 * Enforces the time limit of commands. It is the same for all, so the first one started is the next to expire, and one
 * timer is enough: a timer per command cost 10 % of the requests per second.
 */
export class Deadlines {
  readonly #milliseconds: number;
  /** In order of their start. */
  readonly #running = new Set<Running>();
  #timer: NodeJS.Timeout | null = null;

  constructor(milliseconds: number) {
    this.#milliseconds = milliseconds;
  }

  /**
   * Settles as `work` does; rejects with AppError `TIMEOUT` after the time limit.
   *
   * @param onGiveUp called with that error first.
   */
  within<Result>(work: Promise<Result>, name: string, onGiveUp: (error: AppError) => void): Promise<Result> {
    return new Promise((resolve, reject) => {
      const giveUp = (error: AppError) => {
        onGiveUp(error);
        reject(error);
      };
      const running = { name, endsAt: performance.now() + this.#milliseconds, giveUp };
      this.#running.add(running);
      this.#timer ??= this.#startTimer(this.#milliseconds);
      this.#timer.ref();
      const settle = <Outcome>(how: (outcome: Outcome) => void) => {
        return (outcome: Outcome) => {
          this.#running.delete(running);
          // The timer must not keep an idle process alive.
          if (this.#running.size === 0) this.#timer?.unref();
          how(outcome);
        };
      };
      work.then(settle(resolve), settle(reject));
    });
  }

  #startTimer(milliseconds: number): NodeJS.Timeout {
    return setTimeout(() => this.#endOverdue(), milliseconds);
  }

  #endOverdue(): void {
    this.#timer = null;
    const now = performance.now();
    for (const running of this.#running) {
      if (running.endsAt > now) {
        this.#timer = this.#startTimer(running.endsAt - now);
        return;
      }
      this.#running.delete(running);
      const seconds = this.#milliseconds / 1000;
      running.giveUp(new AppError("TIMEOUT", `"${running.name}" timed out after ${seconds} s; it may still finish.`));
    }
  }
}
