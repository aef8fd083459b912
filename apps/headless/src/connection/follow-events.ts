import type { ClientEvent } from "@sm/router/client";
import type { Connection } from "./connection.ts";

/** A service that starts again takes some seconds; one that has gone is told soon. */
const MOST_FAILURES = 3;

/**
 * Takes one event after the other until one is the last, as `take` says, or `signal` is aborted. When the connection
 * breaks it is tried again, a few times; `hello` says each time that events come from then on.
 */
export function followEvents(
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
        if (state === "closed" || failures > MOST_FAILURES) reject(error);
      },
    });

    function end(): void {
      stream.close();
      resolve();
    }
    signal?.addEventListener("abort", end);
  });
}
