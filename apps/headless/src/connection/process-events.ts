import type { ClientEvent } from "@sm/router/client";
import type { Connection } from "./connection.ts";

/** Covers the seconds that a service needs to restart. */
const MAX_FAILURES = 3;

/**
 * Processes events until `take` returns true or `signal` is aborted. Reconnects a few times; each `hello` marks a new
 * start.
 */
export function processEvents(
  connection: Pick<Connection, "events">,
  topics: readonly string[],
  take: (event: ClientEvent) => Promise<boolean>,
  signal?: AbortSignal,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let last: Promise<unknown> = Promise.resolve();
    let failures = 0;
    const stream = connection.events({
      topics,
      onEvent(event) {
        last = last
          .then(() => take(event))
          .then((isLast) => isLast && end())
          .catch(reject);
      },
      onState(state, error) {
        if (state === "open") failures = 0;
        if (error === null) return;
        failures += 1;
        if (state === "closed" || failures > MAX_FAILURES) reject(error);
      },
    });

    function end(): void {
      stream.close();
      resolve();
    }
    signal?.addEventListener("abort", end);
  });
}
