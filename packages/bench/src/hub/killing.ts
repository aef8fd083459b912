import { setTimeout as pause } from "node:timers/promises";
import type { HubStack } from "./hub-stack.ts";

/** Times of one killing in milliseconds, on average; each differs by half. */
export interface KillingTimes {
  apart: number;
  /** Until what was killed is started again. */
  down: number;
}

/** Kills both servers and PostgreSQL in turns until it is told to stop, and starts each again. @returns how often each. */
export async function killInTurns(
  stack: HubStack,
  { apart, down }: KillingTimes,
  signal: AbortSignal,
): Promise<{ servers: number; postgres: number }> {
  const kills = { servers: 0, postgres: 0 };
  const victims = [...stack.urls.keys(), null];
  for (let turn = 0; ; turn++) {
    await pause(about(apart), undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return kills;
    const victim = victims[turn % victims.length] ?? null;
    if (victim === null) {
      await stack.postgres.kill();
      await pause(about(down));
      await stack.postgres.start();
      kills.postgres++;
    } else {
      await stack.server(victim).kill();
      await pause(about(down));
      await stack.startServer(victim);
      kills.servers++;
    }
  }
}

function about(milliseconds: number): number {
  return milliseconds * (0.5 + Math.random());
}
