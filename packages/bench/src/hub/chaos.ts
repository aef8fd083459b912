import { setTimeout as pause } from "node:timers/promises";
import type { SessionPage } from "@sm/core";
import type { HubStack } from "./hub-stack.ts";
import { type Differences, differences } from "./kept-whole.ts";
import { type KillingTimes, killInTurns } from "./killing.ts";
import type { ExpectedSession, MachinesTask } from "./simulated-machines.ts";

/** Machines of one user. */
export interface UserMachines {
  write(milliseconds: number): Promise<{ lines: number; rewrites: number }>;
  pending(): Promise<number>;
  expected(): Promise<ExpectedSession[]>;
  close(): Promise<void>;
}

export interface ChaosOptions {
  directory: string;
  /** Users, each with so many machines, with so many sessions. */
  users: number;
  machinesOfEach: number;
  sessionsOfEach: number;
  /** Milliseconds between two lines of a session, on average. */
  pauseMs: number;
  writeForMs: number;
  killing: KillingTimes;
  open(task: MachinesTask): Promise<UserMachines>;
  say(text: string): void;
}

export interface ChaosResult extends Differences {
  lines: number;
  rewrites: number;
  kills: { servers: number; postgres: number };
  /** From the last line, and the last killing, until the hub had everything. */
  settledAfterMs: number;
}

const POLL_MS = 200;
/** Senders ask once a minute at last. */
const SETTLE_TIMEOUT_MS = 5 * 60_000;

/** Lets sessions grow on many machines while the hub is killed in parts, and then looks whether it has all of them, once. */
export async function runChaos(stack: HubStack, options: ChaosOptions): Promise<ChaosResult> {
  const { directory, users, machinesOfEach, sessionsOfEach, pauseMs, writeForMs, killing, open, say } = options;
  const opened: { token: string; machines: UserMachines }[] = [];
  const stop = new AbortController();
  try {
    for (let user = 0; user < users; user++) {
      const { token, tokenFile } = await stack.newUser(`user-${user}`);
      const numbers = { from: user * machinesOfEach, below: (user + 1) * machinesOfEach };
      const task = { directory, ...numbers, sessionsOfEach, urls: stack.urls, tokenFile, pauseMs };
      opened.push({ token, machines: await open(task) });
    }
    say("all machines write");
    const killed = killInTurns(stack, killing, stop.signal);
    const written = await Promise.all(opened.map(({ machines }) => machines.write(writeForMs)));
    stop.abort();
    const kills = await killed;
    const start = performance.now();
    const all: Differences = { sessions: 0, bytes: 0, lost: 0, twice: 0, gone: 0 };
    for (const { token, machines } of opened) await settled(stack, token, machines);
    const settledAfterMs = performance.now() - start;
    say(`everything has arrived after ${Math.round(settledAfterMs)} ms; it is compared now`);
    for (const { token, machines } of opened) {
      const own = await differences(stack, token, await machines.expected(), say);
      for (const name of Object.keys(all) as (keyof Differences)[]) all[name] += own[name];
    }
    return {
      ...all,
      lines: written.reduce((sum, { lines }) => sum + lines, 0),
      rewrites: written.reduce((sum, { rewrites }) => sum + rewrites, 0),
      kills,
      settledAfterMs,
    };
  } finally {
    stop.abort();
    await Promise.all(opened.map(({ machines }) => machines.close()));
  }
}

/** Waits until the machines of a user have sent all, and all of it can be searched. */
async function settled(stack: HubStack, token: string, machines: UserMachines): Promise<void> {
  const until = performance.now() + SETTLE_TIMEOUT_MS;
  for (;;) {
    const unsent = await machines.pending();
    // Right after it was killed, the database may not answer yet.
    const pending = unsent > 0 ? null : await pendingOnHub(stack, token).catch(() => null);
    if (unsent === 0 && pending === 0) return;
    if (performance.now() > until) throw new Error(`Still to be sent: ${unsent}; to be indexed: ${pending ?? "?"}.`);
    await pause(POLL_MS);
  }
}

async function pendingOnHub(stack: HubStack, token: string): Promise<number> {
  const { pending } = await stack.command<SessionPage>(0, token, "list_sessions", { limit: 1 });
  return pending;
}
