import { type ChildProcessByStdio, spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { stripVTControlCharacters } from "node:util";
import { AppError, type JsonObject } from "@sm/core";
import { BoundedLines, type Line } from "./lines.ts";
import { descendantsOf } from "./processes.ts";
import { RECORD_LINES } from "./record.ts";

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
  /** The last of what it wrote there. */
  stderr: string;
}

const STDERR_KEPT = 8 * 1024;
/** An agent that does not read has what fits into the pipe; the rest would wait in memory. */
const MOST_UNREAD_BYTES = 32 * 1024 * 1024;
/** A program that the agent has left behind may hold its output open for ever. */
const TRAILING_OUTPUT_MS = 500;

/** The agent's process: JSON in, lines out. */
export class AgentProcess {
  readonly #child: ChildProcessByStdio<Writable, Readable, Readable>;
  /** Never rejects: a program that cannot be started has ended, and says why in `stderr`. */
  readonly exited: Promise<AgentExit>;
  #stderr = Buffer.alloc(0);
  #hasExited = false;

  constructor({ file, args, cwd, env, onLine }: AgentProcessOptions) {
    // A group of its own, so that all of it can be ended, and a ^C at the service's terminal does not reach it.
    const detached = process.platform !== "win32";
    this.#child = spawn(file, args, { cwd, env, detached, windowsHide: true, stdio: ["pipe", "pipe", "pipe"] });
    const lines = new BoundedLines({ ...RECORD_LINES, onLine });
    this.#child.stdout.on("data", (chunk: Buffer) => lines.push(chunk));
    this.#child.stderr.on("data", (chunk: Buffer) => {
      this.#stderr = Buffer.from(Buffer.concat([this.#stderr, chunk]).subarray(-STDERR_KEPT));
    });
    // A write to an agent that has just ended; its end is told by itself.
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
        // What it has left behind in its group would run on without anybody who knows of it.
        signalGroup(this.pid);
        setTimeout(end, TRAILING_OUTPUT_MS, code, signal).unref();
      });
      this.#child.on("close", (code, signal) => end(code, signal));
    });
  }

  /** 0 where it could not be started. */
  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** The last of what it has written there, as plain text. */
  get stderr(): string {
    return stripVTControlCharacters(this.#stderr.toString()).trim();
  }

  /** Throws AppError `CONFLICT` where it has ended or does not read what it is sent. */
  write(record: JsonObject): void {
    const { stdin } = this.#child;
    if (!stdin.writable) throw new AppError("CONFLICT", "The agent has exited.");
    if (stdin.writableLength > MOST_UNREAD_BYTES) {
      throw new AppError("CONFLICT", "The agent does not read its input; stop it.");
    }
    stdin.write(`${JSON.stringify(record)}\n`);
  }

  /**
   * Ends it in order, and by force where it does not follow. The agent takes the end of its input and one SIGTERM as
   * one request to end; a second signal ends it at once.
   */
  async end(times: { end: number; terminate: number }): Promise<AgentExit> {
    this.#child.stdin.end();
    // Windows has no such signal: it would be killed.
    if (process.platform !== "win32") this.#child.kill("SIGTERM");
    if (await this.#exitsIn(times.end)) return this.exited;
    this.#child.kill("SIGTERM");
    if (await this.#exitsIn(times.terminate)) return this.exited;
    await this.kill();
    return this.exited;
  }

  /** Ends it and all that it has started, at once. */
  async kill(): Promise<void> {
    // Its tools run in groups of their own.
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

/** Ends what runs in the group of a process. */
function signalGroup(pid: number): void {
  if (pid <= 1 || process.platform === "win32") return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // It leads none, or all of it has ended.
  }
}
