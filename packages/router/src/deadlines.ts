import { AppError } from "@sm/core";

interface Running {
  name: string;
  /** Milliseconds of `performance.now()`. */
  endsAt: number;
  giveUp(error: AppError): void;
}

/**
 * Gives up on commands that take too long. All have the same time, so that the one that began first is the next to end
 * and one timer serves all of them: a timer for each command cost 10 % of the requests a second.
 */
export class Deadlines {
  readonly #milliseconds: number;
  /** In the order in which they began. */
  readonly #running = new Set<Running>();
  #timer: NodeJS.Timeout | null = null;

  constructor(milliseconds: number) {
    this.#milliseconds = milliseconds;
  }

  /**
   * Settles as `work` does; rejects with AppError `TIMEOUT` where that takes too long.
   *
   * @param onGiveUp is told of the error before.
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
          // A process may end while nothing runs.
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
      running.giveUp(
        new AppError(
          "TIMEOUT",
          `"${running.name}" took longer than ${seconds} s and was given up; it may still finish.`,
        ),
      );
    }
  }
}
