import { readFile } from "node:fs/promises";
import type { Log } from "./log.ts";

/** The other half is for the index, session files, watches, agents and terminals. */
const CONNECTION_SHARE = 2;

/**
 * Gives the number of connections that leave enough open files: where clients took all of them, neither the index nor a
 * session file could be opened.
 *
 * @param limits what the system says of this process, as in `/proc/self/limits`.
 */
export function connectionsWithin(connections: number, limits: string): number {
  const openFiles = /^Max open files\s+(\d+)/m.exec(limits)?.[1];
  if (openFiles === undefined) return connections;
  return Math.max(1, Math.min(connections, Math.floor(Number(openFiles) / CONNECTION_SHARE)));
}

/** {@link connectionsWithin} for this process; says so where the limit lowers the setting. Only Linux tells. */
export async function affordableConnections(connections: number, log: Pick<Log, "warn">): Promise<number> {
  const limits = await readFile("/proc/self/limits", "utf8").catch(() => "");
  const affordable = connectionsWithin(connections, limits);
  if (affordable < connections) {
    log.warn(
      { connections: affordable, setting: connections },
      'The system allows few open files, so fewer connections than "limits.connections" are accepted; raise ulimit -n (LimitNOFILE of systemd).',
    );
  }
  return affordable;
}
