import type { CommandOutput } from "@sm/router/client";
import type { Service } from "./service.ts";

/** How much a session has changed. */
export type ChangeSums = CommandOutput<"list_change_sums">[number];

/** Asks for what sessions have changed, many at once. */
export interface ChangeSumsQueue {
  /** `null` for a session that is unknown or cannot be read. Who goes before the answer says so by the signal. */
  ask(path: string, signal: AbortSignal): Promise<ChangeSums | null>;
}

interface Asked {
  path: string;
  signal: AbortSignal;
  resolve(sums: ChangeSums | null): void;
  reject(error: unknown): void;
}

/** Rows that are only scrolled by have gone by then. */
const WAIT_MS = 200;
/** An agent that works appends all the time, and each time its session has to be read. */
const LEAST_BETWEEN_MS = 10_000;
/** The service's limit. */
const MOST_AT_ONCE = 100;

export function createChangeSumsQueue(service: Pick<Service, "call">, now = () => performance.now()): ChangeSumsQueue {
  let waiting: Asked[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** When a session was asked for last. */
  const askedAt = new Map<string, number>();

  function wait(ms: number): void {
    clearTimeout(timer);
    timer = setTimeout(sendDue, ms);
  }

  function sendDue(): void {
    const time = now();
    for (const [path, at] of askedAt) if (time - at >= LEAST_BETWEEN_MS) askedAt.delete(path);
    const wanted = waiting.filter(({ signal }) => !signal.aborted);
    const due = wanted.filter(({ path }) => !askedAt.has(path)).slice(0, MOST_AT_ONCE);
    waiting = wanted.filter((asked) => !due.includes(asked));
    for (const { path } of due) askedAt.set(path, time);
    if (due.length > 0) void send(due);
    if (waiting.length === 0) return;
    wait(Math.max(WAIT_MS, Math.min(...waiting.map(({ path }) => (askedAt.get(path) ?? 0) + LEAST_BETWEEN_MS - time))));
  }

  async function send(asked: readonly Asked[]): Promise<void> {
    const gone = new AbortController();
    const onAbort = () => {
      if (asked.every(({ signal }) => signal.aborted)) gone.abort();
    };
    for (const { signal } of asked) signal.addEventListener("abort", onAbort);
    try {
      const paths = asked.map(({ path }) => path);
      const sums = await service.call("list_change_sums", { paths }, { signal: gone.signal });
      const byPath = new Map(sums.map((one) => [one.path, one]));
      for (const { path, signal, resolve } of asked) {
        // Nobody keeps this answer.
        if (signal.aborted) askedAt.delete(path);
        resolve(byPath.get(path) ?? null);
      }
    } catch (error) {
      // Asking once more is no second reading.
      for (const { path, reject } of asked) {
        askedAt.delete(path);
        reject(error);
      }
    } finally {
      for (const { signal } of asked) signal.removeEventListener("abort", onAbort);
    }
  }

  return {
    ask: (path, signal) =>
      new Promise((resolve, reject) => {
        waiting.push({ path, signal, resolve, reject });
        wait(WAIT_MS);
      }),
  };
}
