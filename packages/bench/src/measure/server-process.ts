import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { Agent, request } from "node:http";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { ENVIRONMENT } from "./environment.ts";
import { PauseProbe } from "./pause-probe.ts";
import { MemorySampler } from "./process-tree.ts";
import { programUrl } from "./program-url.ts";

const STOP_TIMEOUT_MS = 15_000;
const KEPT_LOG_CHARACTERS = 4_000;

/** A server in a process of its own that names its address on the first line of its standard output. */
export class ServerProcess {
  readonly url: string;
  readonly pid: number;
  /** `performance.now()` right before the process was started. */
  readonly startedAt: number;
  readonly memory: MemorySampler;
  /** Only for a process that was started with `isProbed`. */
  readonly pauses: PauseProbe;
  readonly #child: ChildProcess;
  /** Nothing outlives the process that measures. */
  readonly #kill = () => this.#child.kill("SIGKILL");
  readonly #agent = new Agent({ keepAlive: true });

  private constructor(child: ChildProcess, pid: number, url: string, startedAt: number, memory: MemorySampler) {
    this.#child = child;
    this.pid = pid;
    this.url = url;
    this.startedAt = startedAt;
    this.memory = memory;
    this.pauses = new PauseProbe(child);
    process.once("exit", this.#kill);
  }

  /**
   * @param options `isProbed`: its event loop is watched, which wakes it 200 times a second.
   * @throws when the process ends before it names an address, with what it said.
   */
  static async start(program: string, args: string[], { isProbed = false } = {}): Promise<ServerProcess> {
    const startedAt = performance.now();
    const probe = isProbed ? ["--import", programUrl("pause-probe").href] : [];
    const child = spawn(process.execPath, [...probe, program, ...args], {
      stdio: ["ignore", "pipe", "pipe", ...(isProbed ? (["ipc"] as const) : [])],
      env: ENVIRONMENT,
    });
    const { pid } = child;
    if (pid === undefined) throw new Error(`${program} could not be started.`);
    const memory = new MemorySampler(pid);
    let said = "";
    child.stderr?.on("data", (chunk: Buffer) => {
      said = (said + chunk.toString()).slice(-KEPT_LOG_CHARACTERS);
    });
    const url = await new Promise<string>((resolve, reject) => {
      // Reading on, so that the log never fills the pipe.
      createInterface({ input: child.stdout as Readable }).on("line", (line) => {
        said = `${said}${line}\n`.slice(-KEPT_LOG_CHARACTERS);
        const address = /http:\/\/\S+/.exec(line)?.[0];
        if (address !== undefined) resolve(address);
      });
      child.once("exit", (code) => {
        memory.stop();
        reject(new Error(`${program} ended with ${code} before it was listening:\n${said}`));
      });
    });
    return new ServerProcess(child, pid, url, startedAt, memory);
  }

  /** Milliseconds since the process was started. */
  elapsed(): number {
    return performance.now() - this.startedAt;
  }

  /** Sends one request over a connection that is kept, and reads the whole answer. */
  async send(
    method: "GET" | "POST",
    path: string,
    body?: string,
    more: Readonly<Record<string, string>> = {},
  ): Promise<{ status: number; body: string }> {
    return new Promise((resolve, reject) => {
      const headers = body === undefined ? more : { "Content-Type": "application/json", ...more };
      const outgoing = request(new URL(path, this.url), { method, agent: this.#agent, headers }, (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("end", () =>
          resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString("utf8") }),
        );
        response.on("error", reject);
      });
      outgoing.on("error", (error: NodeJS.ErrnoException) => {
        // The server has given up a connection that was kept for long, just before it was used again.
        if (error.code !== "ECONNRESET" || !outgoing.reusedSocket) reject(error);
        else this.send(method, path, body, more).then(resolve, reject);
      });
      outgoing.end(body);
    });
  }

  /** Ends it at once, as a crash would. */
  async kill(): Promise<void> {
    this.memory.stop();
    this.#agent.destroy();
    const exit = once(this.#child, "exit");
    if (this.#kill()) await exit;
    process.off("exit", this.#kill);
  }

  /** Ends the process in order, or by force when it does not go. */
  async stop(): Promise<void> {
    this.memory.stop();
    this.#agent.destroy();
    if (this.#child.exitCode === null && this.#child.signalCode === null) {
      const force = setTimeout(this.#kill, STOP_TIMEOUT_MS);
      const exit = once(this.#child, "exit");
      this.#child.kill("SIGTERM");
      await exit;
      clearTimeout(force);
    }
    process.off("exit", this.#kill);
  }
}
