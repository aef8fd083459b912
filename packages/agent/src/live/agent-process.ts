import { type ChildProcessByStdio, spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { stripVTControlCharacters } from "node:util";
import { AppError, type JsonObject } from "@sm/core";
import { RECORD_LINES } from "./agent-record.ts";
import { BoundedLines, type Line } from "./lines.ts";
import { descendantsOf } from "./processes.ts";

export interface AgentProcessOptions {
  file: string;
  args: string[];
  cwd: string;
  env: NodeJS.ProcessEnv;
  onLine(line: Line): void;
}

export interface AgentExit {
  exit_code: number | null;
  signal: string | null;
  /** End of its error output. */
  stderr: string;
}

const STDERR_KEPT = 8 * 1024;
/** Limit for an agent that does not read its input. */
const MAX_UNREAD_BYTES = 32 * 1024 * 1024;
/** A background program of the agent may keep the output open forever. */
const TRAILING_OUTPUT_MS = 500;

/** The agent's process: JSON in, lines out. */
export class AgentProcess {
  readonly #child: ChildProcessByStdio<Writable, Readable, Readable>;
  /** Never rejects: a program that cannot be started counts as ended, with the reason in `stderr`. */
  readonly exited: Promise<AgentExit>;
  #stderr = Buffer.alloc(0);
  #hasExited = false;

  constructor({ file, args, cwd, env, onLine }: AgentProcessOptions) {
    // A process group, so that it can be ended as a whole, and a ^C in the service's terminal does not reach it.
    const detached = process.platform !== "win32";
    this.#child = spawn(file, args, { cwd, env, detached, windowsHide: true, stdio: ["pipe", "pipe", "pipe"] });
    const lines = new BoundedLines({ ...RECORD_LINES, onLine });
    this.#child.stdout.on("data", (chunk: Buffer) => lines.push(chunk));
    this.#child.stderr.on("data", (chunk: Buffer) => {
      this.#stderr = Buffer.from(Buffer.concat([this.#stderr, chunk]).subarray(-STDERR_KEPT));
    });
    // Writing to an agent that has just ended; its exit is reported separately.
    this.#child.stdin.on("error", () => {});
    this.exited = new Promise((resolve) => {
      const end = (exit_code: number | null, signal: string | null, error = "") => {
        if (this.#hasExited) return;
        this.#hasExited = true;
        lines.end();
        this.#child.stdout.destroy();
        this.#child.stderr.destroy();
        resolve({ exit_code, signal, stderr: error + this.stderr });
      };
      this.#child.on("error", (error) => end(null, null, error.message));
      this.#child.on("exit", (code, signal) => {
        // Ends background processes of its group, which nobody else would end.
        signalGroup(this.pid);
        setTimeout(end, TRAILING_OUTPUT_MS, code, signal).unref();
      });
      this.#child.on("close", (code, signal) => end(code, signal));
    });
  }

  /** 0 if it could not be started. */
  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** End of its error output, as plain text. */
  get stderr(): string {
    return stripVTControlCharacters(this.#stderr.toString()).trim();
  }

  /** Throws AppError `CONFLICT` if it has ended or does not read its input. */
  write(record: JsonObject): void {
    const { stdin } = this.#child;
    if (!stdin.writable) throw new AppError("CONFLICT", "The agent has exited.");
    if (stdin.writableLength > MAX_UNREAD_BYTES) {
      throw new AppError("CONFLICT", "The agent does not read its input; stop it.");
    }
    stdin.write(`${JSON.stringify(record)}\n`);
  }

  /**
   * Shuts it down, and kills it if it does not exit. The agent treats the end of input and one SIGTERM as a single
   * request; a second signal ends it immediately.
   */
  async end(times: { end: number; terminate: number }): Promise<AgentExit> {
    this.#child.stdin.end();
    // Windows has no such signal: the process would be killed.
    if (process.platform !== "win32") this.#child.kill("SIGTERM");
    if (await this.#exitsIn(times.end)) return this.exited;
    this.#child.kill("SIGTERM");
    if (await this.#exitsIn(times.terminate)) return this.exited;
    await this.kill();
    return this.exited;
  }

  /** Kills it and all of its descendants. */
  async kill(): Promise<void> {
    // Its tools run in separate process groups.
    const started = this.#child.pid === undefined ? [] : await descendantsOf(this.#child.pid);
    this.#child.kill("SIGKILL");
    for (const pid of started) signalGroup(pid);
  }

  async #exitsIn(ms: number): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<false>((resolve) => {
      timer = setTimeout(resolve, ms, false);
    });
    const isOver = await Promise.race([this.exited.then(() => true), late]);
    clearTimeout(timer);
    return isOver;
  }
}

/** Ends the process group of a process. */
function signalGroup(pid: number): void {
  if (pid <= 1 || process.platform === "win32") return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // No such group, or all of its processes have ended.
  }
}
