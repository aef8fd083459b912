import { closeSync, constants as files, openSync, readSync } from "node:fs";
import { constants } from "node:os";
import { StringDecoder } from "node:string_decoder";
import { ReadStream } from "node:tty";
import type { TerminalExit } from "@sm/core";
import { InputQueue } from "./input-queue.ts";
import type { Pty, PtyListener, PtyProgram, StartPty } from "./pty.ts";

/**
 * The functions of node-pty's native module, exported as `native`. Its class on top of them loses output at the end of
 * a program, and queues input without a limit (docs/adr/0019-terminal-flow.md).
 */
export interface NativePty {
  fork(
    file: string,
    args: string[],
    env: string[],
    cwd: string,
    cols: number,
    rows: number,
    userId: number,
    groupId: number,
    isUtf8: boolean,
    helper: string,
    onExit: (exitCode: number, signal: number) => void,
  ): { fd: number; pid: number; pty: string };
  resize(descriptor: number, cols: number, rows: number): void;
}

/** Keeps the user. */
const SAME_ID = -1;
/** Size of the read buffer. The system buffers less: 12 KiB on Linux. */
const READ_BYTES = 64 * 1024;
/** Maximum read after a program's end, because its child processes may continue to write. */
const LAST_BYTES = 4 * READ_BYTES;

/** Starts programs with node-pty's native functions; `helper` is its launcher on macOS. */
export function unixPty(native: NativePty, helper: string): StartPty {
  return (program, listener) => new UnixPty(native, helper, program, listener);
}

class UnixPty implements Pty {
  readonly pid: number;
  readonly device: string;
  readonly #native: NativePty;
  readonly #listener: PtyListener;
  readonly #descriptor: number;
  readonly #stream: ReadStream;
  readonly #input: InputQueue;
  readonly #decoder = new StringDecoder("utf8");
  readonly #buffer = Buffer.allocUnsafe(READ_BYTES);
  #holder: number | null;
  #isPaused = false;
  #hasEnded = false;
  #exit: TerminalExit | null = null;
  #lastBytes = 0;

  constructor(native: NativePty, helper: string, program: PtyProgram, listener: PtyListener) {
    const { file, args, cwd, cols, rows } = program;
    const env = Object.entries(program.env).map(([name, value]) => `${name}=${value}`);
    const onExit = (exitCode: number, signal: number) => this.#onProcessExit(exitCode, signal);
    const forked = native.fork(file, args, env, cwd, cols, rows, SAME_ID, SAME_ID, true, helper, onExit);
    this.#native = native;
    this.#listener = listener;
    this.pid = forked.pid;
    this.device = forked.pty;
    this.#descriptor = forked.fd;
    this.#input = new InputQueue(forked.fd);
    this.#holder = hold(forked.pty);
    // One buffer for all reads: allocating one for each of the 50,000 reads of 200 MB took 200 MB of memory.
    const onread = { buffer: this.#buffer, callback: (length: number) => this.#onRead(length) };
    // `ReadStream` passes this option to `net.Socket`, but its types lack it.
    this.#stream = new ReadStream(forked.fd, { onread } as object);
    // Reading fails when no process has the terminal open.
    this.#stream.on("error", () => {});
    this.#stream.on("close", () => this.#onEnd());
    this.#stream.resume();
  }

  get isRunning(): boolean {
    return this.#exit === null;
  }

  get waiting(): number {
    return this.#input.waiting;
  }

  write(data: string): void {
    if (this.#isOpen) this.#input.write(data);
  }

  resize(cols: number, rows: number): void {
    if (this.#isOpen) this.#native.resize(this.#descriptor, cols, rows);
  }

  pause(): void {
    this.#isPaused = true;
    this.#stream.pause();
  }

  resume(): void {
    this.#isPaused = false;
    if (!this.#isOpen) return;
    if (this.#exit === null) this.#stream.resume();
    // Listeners must not be called synchronously.
    else setImmediate(() => this.#readLast());
  }

  close(): void {
    this.#input.close();
    this.#stream.destroy();
    this.#letGo();
  }

  get #isOpen(): boolean {
    return !this.#stream.destroyed;
  }

  #onRead(length: number): boolean {
    this.#listener.onData(this.#decoder.write(this.#buffer.subarray(0, length)));
    return !this.#isPaused;
  }

  #onProcessExit(exitCode: number, signal: number): void {
    this.#exit = signal === 0 ? { exit_code: exitCode, signal: null } : { exit_code: null, signal: signalName(signal) };
    if (this.#hasEnded) {
      this.#listener.onExit(this.#exit);
      return;
    }
    this.#stream.pause();
    this.#letGo();
    this.#readLast();
  }

  /** All output of the program is in the system's buffer now. */
  #readLast(): void {
    while (this.#isOpen && this.#lastBytes < LAST_BYTES) {
      if (this.#isPaused) return;
      const length = readWithoutWaiting(this.#descriptor, this.#buffer);
      if (length === 0) break;
      this.#lastBytes += length;
      this.#onRead(length);
    }
    this.close();
  }

  #onEnd(): void {
    this.#hasEnded = true;
    this.#input.close();
    const rest = this.#decoder.end();
    if (rest !== "") this.#listener.onData(rest);
    if (this.#exit !== null) this.#listener.onExit(this.#exit);
  }

  #letGo(): void {
    if (this.#holder !== null) closeSync(this.#holder);
    this.#holder = null;
  }
}

/**
 * Keeps the terminal's device open. Otherwise, after the last program closes it, libuv takes the first short read for
 * the last one, and all reads of a terminal are short: up to 12 KiB of output would be lost.
 */
function hold(device: string): number | null {
  try {
    return openSync(device, files.O_RDWR | files.O_NOCTTY);
  } catch {
    return null;
  }
}

/** Reads available data; nothing at the end, or when no process has the terminal open. */
function readWithoutWaiting(descriptor: number, buffer: Buffer): number {
  try {
    return readSync(descriptor, buffer);
  } catch {
    return 0;
  }
}

function signalName(signal: number): string {
  const found = Object.entries(constants.signals).find(([, number]) => number === signal);
  return found?.[0] ?? `SIG${signal}`;
}
