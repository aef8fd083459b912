import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type {
  EntriesPage,
  ListOptions,
  SearchOptions,
  SearchPage,
  SessionPage,
  SessionRecord,
  TreeEntry,
} from "@sm/core";
import { ServerProcess } from "./server-process.ts";

/** The built service, seen from `dist/main.js` of this package: what is measured is a program, not code to import. */
export const BINARY = fileURLToPath(new URL("../../../apps/headless/dist/main.js", import.meta.url));
const READY_TIMEOUT_MS = 15 * 60_000;
const READY_POLL_MS = 50;

/** Makes a service that is started with this state directory look for sessions in other directories too. */
export function addSessionPaths(stateDirectory: string, directories: readonly string[]): void {
  mkdirSync(join(stateDirectory, "config"), { recursive: true });
  const config = JSON.stringify({ session_paths: directories });
  writeFileSync(join(stateDirectory, "config", "session-manager.json"), config);
}

interface Health {
  status: string;
  reason?: string | null;
  index: { state: string; sessions: number; pending: number };
}

/** The built binary, served to one client. */
export class Service {
  readonly process: ServerProcess;

  private constructor(process: ServerProcess) {
    this.process = process;
  }

  /** @param options see `ServerProcess.start`. */
  static async start(agentHome: string, stateDirectory: string, options?: { isProbed: boolean }): Promise<Service> {
    const directories = ["--config-dir", `${stateDirectory}/config`, "--data-dir", `${stateDirectory}/data`];
    const args = ["--port", "0", "--agent-home", agentHome, ...directories];
    return new Service(await ServerProcess.start(BINARY, args, options));
  }

  scanSessions(): Promise<SessionRecord[]> {
    return this.command("scan_sessions", {}) as Promise<SessionRecord[]>;
  }

  listSessions(limit: number, filters: Partial<ListOptions> = {}): Promise<SessionPage> {
    return this.command("list_sessions", { limit, ...filters }) as Promise<SessionPage>;
  }

  search(options: Pick<SearchOptions, "query"> & Partial<SearchOptions>): Promise<SearchPage> {
    return this.command("search", options) as Promise<SearchPage>;
  }

  readEntries(path: string): Promise<EntriesPage> {
    return this.command("read_session_entries", { path }) as Promise<EntriesPage>;
  }

  readTree(path: string): Promise<TreeEntry[]> {
    return this.command("read_session_tree", { path }) as Promise<TreeEntry[]>;
  }

  async toggleFavorite(path: string): Promise<void> {
    await this.command("toggle_favorite", { path });
  }

  /** Waits until every session is searchable. */
  async ready(): Promise<void> {
    while (this.process.elapsed() < READY_TIMEOUT_MS) {
      const { body } = await this.process.send("GET", "/health");
      const { status, reason, index } = JSON.parse(body) as Health;
      if (status === "degraded") throw new Error(`The service is degraded: ${reason ?? "no reason given"}`);
      if (index.state === "ready" && index.pending === 0) return;
      await pause(READY_POLL_MS);
    }
    throw new Error("The index did not become ready.");
  }

  /** Sends a command and gives its data. */
  async command(command: string, payload: object): Promise<unknown> {
    const { status, body } = await this.process.send("POST", "/api", JSON.stringify({ command, payload }));
    const answer = JSON.parse(body) as { success: boolean; data: unknown };
    if (!answer.success) throw new Error(`${command} was answered with ${status}: ${body.slice(0, 500)}`);
    return answer.data;
  }
}
