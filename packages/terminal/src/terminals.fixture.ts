import { homedir } from "node:os";
import type { TerminalExit, TerminalOptions } from "@sm/core";
import { loadNodePty } from "./node-pty.ts";
import type { TerminalEvent, TerminalOutput, TerminalWatcher } from "./terminal-output.ts";
import { openTerminals, type Terminals, type TerminalsOptions } from "./terminals.ts";

/**
 * Whether tests with real terminals can run.
 *
 * @throws Error where they cannot and `SESSION_MANAGER_ALL_TESTS` or `CI` asks for every test.
 */
export const hasNodePty: boolean = await loadNodePty().then(
  () => true,
  (error: unknown) => {
    if (process.env.SESSION_MANAGER_ALL_TESTS === "1" || process.env.CI === "true") throw error;
    process.stderr.write(`Tests of terminals are skipped: ${String(error)}\n`);
    return false;
  },
);

/** Stands for the event bus and everybody who subscribes to it. */
export class Listeners implements TerminalOutput {
  readonly events: TerminalEvent[] = [];
  readonly watchers = new Map<string, TerminalWatcher>();
  readonly #waiting = new Set<() => void>();

  publish(event: TerminalEvent): void {
    this.events.push(event);
    for (const look of [...this.#waiting]) look();
  }

  watch(id: string, watcher: TerminalWatcher): () => void {
    this.watchers.set(id, watcher);
    watcher.onAudience(0);
    return () => this.watchers.delete(id);
  }

  /** All output of a terminal so far. */
  text(id: string): string {
    return this.outputs(id)
      .map(({ data }) => data)
      .join("");
  }

  outputs(id: string): Extract<TerminalEvent, { type: "output" }>[] {
    return this.events.filter((event) => event.type === "output").filter((event) => event.id === id);
  }

  exit(id: string): TerminalExit | null {
    const told = this.events.find((event) => event.type === "exit" && event.id === id);
    return told?.type === "exit" ? { exit_code: told.exit_code, signal: told.signal } : null;
  }

  /** Resolves as soon as an event makes it true. */
  async until(isReached: () => boolean): Promise<void> {
    if (isReached()) return;
    await new Promise<void>((resolve) => {
      const look = () => {
        if (!isReached()) return;
        this.#waiting.delete(look);
        resolve();
      };
      this.#waiting.add(look);
    });
  }
}

/** Terminals with real programs, for one test. */
export interface RealTerminals extends AsyncDisposable {
  terminals: Terminals;
  listeners: Listeners;
  /** Creates a terminal in which a shell runs a script, without a prompt or an echo, and ends; returns its id. */
  run(script: string, options?: Partial<TerminalOptions>): Promise<string>;
}

/** Opens terminals whose shell is `/bin/sh`, with nothing but a PATH in their environment. */
export function openRealTerminals(options: Partial<TerminalsOptions> = {}): RealTerminals {
  const listeners = new Listeners();
  const terminals = openTerminals({
    enabled: true,
    idleMs: 3_600_000,
    env: { PATH: process.env.PATH, SHELL: "/bin/sh" },
    home: homedir(),
    serviceUrl: "http://127.0.0.1:52131",
    dataDir: "/data",
    output: listeners,
    log: { info: () => {}, warn: () => {} },
    ...options,
  });
  return {
    terminals,
    listeners,
    async run(script, { cwd = "/", cols = 80, rows = 24 } = {}) {
      const { id } = await terminals.create({ cwd, cols, rows });
      await terminals.write(id, "stty -echo; PS1=; echo be''gin\n");
      await listeners.until(() => listeners.text(id).includes("begin\r\n"));
      await terminals.write(id, `${script}; exit\n`);
      return id;
    },
    [Symbol.asyncDispose]: () => terminals.closeAll(),
  };
}
