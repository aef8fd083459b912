import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import type { Measurement } from "../report.ts";

const TIMEOUT_MS = 300_000;

/** What agentsview took for a first synchronisation. */
export interface AgentsviewSync {
  /** From the process start; `null` where it had not finished after `timeout`. */
  seconds: number | null;
  /** Bytes of its database. */
  bytes: number;
  /** In seconds. */
  timeout: number;
}

/** It as what is compared with: for the row of a measurement. */
export function besideSync({ seconds, timeout }: AgentsviewSync): Pick<Measurement, "reference" | "note"> {
  return {
    reference: { name: "agentsview sync", value: seconds ?? timeout },
    ...(seconds === null && { note: `agentsview had not finished after ${timeout} s` }),
  };
}

/**
 * Lets agentsview make the sessions below an agent home searchable, in `home`, which does not exist yet; `null` without
 * agentsview. It looks for the agent's sessions at their usual place in `$HOME`.
 *
 * @param timeout in milliseconds.
 */
export function agentsviewSync(agentHome: string, home: string, timeout = TIMEOUT_MS): AgentsviewSync | null {
  mkdirSync(join(home, ".pi"), { recursive: true });
  symlinkSync(join(agentHome, "agent"), join(home, ".pi", "agent"));
  const start = performance.now();
  const { error, status } = spawnSync("agentsview", ["sync"], {
    env: { ...process.env, HOME: home, AGENTSVIEW_NO_DAEMON: "1" },
    stdio: "ignore",
    timeout,
    killSignal: "SIGKILL",
  });
  const seconds = (performance.now() - start) / 1000;
  if (error !== undefined && "code" in error && error.code === "ENOENT") return null;
  const data = join(home, ".agentsview");
  const bytes = readdirSync(data).reduce((sum, name) => sum + statSync(join(data, name)).size, 0);
  return { seconds: status === 0 ? seconds : null, bytes, timeout: timeout / 1000 };
}
