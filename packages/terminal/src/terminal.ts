import { AppError, type AttachedTerminal, type ListedTerminal, type Terminal, type TerminalExit } from "@sm/core";
import { OutputBatcher } from "./batcher.ts";
import { foregroundGroup, isGroupAlive, type ProcessSession } from "./process-session.ts";
import { StatusTracker } from "./program-status.ts";
import type { Pty, PtyProgram, StartPty } from "./pty.ts";
import { OutputRecorder } from "./recorder.ts";
import type { TerminalOutput } from "./terminal-output.ts";

/** Limit of unread input: four times the maximum of a command. */
const MAX_WAITING_BYTES = 4 * 1024 * 1024;
/** A program that reads less than this does not expect an answer to its queries. */
const MAX_WAITING_REPLIES = 4 * 1024;
/** Time to wait for the exit of a killed program. */
const EXIT_WAIT_MS = 1_000;
/** Node's timers do not support longer delays and would fire immediately. */
const MAX_TIMER_MS = 2 ** 31 - 1;

export interface OpenTerminalOptions {
  id: string;
  program: PtyProgram;
  start: StartPty;
  output: TerminalOutput;
  idleMs: number;
  /** Called after `idleMs` milliseconds without subscribers, attachments and input. */
  onIdle(): void;
}

/** A program in its pseudo-terminal, with its recorded output. */
export class OpenTerminal {
  readonly #id: string;
  readonly #program: PtyProgram;
  readonly #startedAt = new Date().toISOString();
  readonly #output: TerminalOutput;
  readonly #recorder: OutputRecorder;
  readonly #batcher: OutputBatcher;
  readonly #status: StatusTracker;
  readonly #pty: Pty;
  readonly #idleTimer: NodeJS.Timeout;
  readonly #unwatch: () => void;
  #cols: number;
  #rows: number;
  #audience = 0;
  #isClosing = false;
  #exit: TerminalExit | null = null;
  #endedAt: string | null = null;
  #onEnded: () => void = () => {};
  readonly #ended = new Promise<void>((resolve) => {
    this.#onEnded = resolve;
  });

  /** Starts the program. Throws if the system has no free terminal or process. */
  constructor(options: OpenTerminalOptions) {
    const { id, program, start, output, idleMs, onIdle } = options;
    this.#id = id;
    this.#program = program;
    this.#output = output;
    this.#cols = program.cols;
    this.#rows = program.rows;
    this.#recorder = new OutputRecorder(program.cols, program.rows);
    this.#batcher = new OutputBatcher((data, state) => {
      const seq = this.#recorder.record(data, state);
      output.publish({ type: "output", id, seq, data });
    });
    this.#status = new StatusTracker({
      onChange: () => output.publish({ type: "changed", id }),
      reply: (text) => this.#reply(text),
      foregroundGroup: () => foregroundGroup(this.#pty.pid),
      isGroupAlive,
    });
    this.#pty = start(program, {
      onData: (text) => {
        if (this.#exit !== null) return;
        this.#status.read(text);
        this.#batcher.write(text);
      },
      onExit: (exit) => this.#end(exit),
    });
    this.#idleTimer = setTimeout(
      () => {
        if (this.#audience === 0) onIdle();
      },
      Math.min(idleMs, MAX_TIMER_MS),
    ).unref();
    this.#unwatch = output.watch(id, {
      onBehind: (isBehind) => this.#setPaused(isBehind),
      onAudience: (subscribers) => this.#setAudience(subscribers),
    });
  }

  get facts(): Terminal {
    const { cwd, file } = this.#program;
    return { id: this.#id, cwd, shell: file, pid: this.#pty.pid, cols: this.#cols, rows: this.#rows };
  }

  get listed(): ListedTerminal {
    const { status } = this.#status;
    return { ...this.facts, started_at: this.#startedAt, status, exit: this.#exit, ended_at: this.#endedAt };
  }

  /** Session of its processes; `null` if closing the terminal ends them. */
  get session(): ProcessSession | null {
    const { pid, device, isRunning } = this.#pty;
    return device === null ? null : { leader: pid, isLeaderAlive: isRunning, device };
  }

  /** @throws AppError `CONFLICT` if the program has ended or does not read. */
  write(data: string): void {
    if (this.#exit !== null) throw new AppError("CONFLICT", "The program of this terminal has exited.");
    if (this.#pty.waiting + Buffer.byteLength(data) > MAX_WAITING_BYTES) {
      throw new AppError("CONFLICT", "The program of this terminal is not reading its input; try again later.");
    }
    this.#idleTimer.refresh();
    this.#pty.write(data);
  }

  resize(cols: number, rows: number): void {
    this.#cols = cols;
    this.#rows = rows;
    // Output read so far was written for the previous size.
    this.#batcher.flush();
    this.#recorder.resize(cols, rows);
    this.#pty.resize(cols, rows);
  }

  attach(afterSeq: number | null): AttachedTerminal {
    this.#idleTimer.refresh();
    const { seq } = this.#recorder;
    return { id: this.#id, cols: this.#cols, rows: this.#rows, seq, ...this.#recorder.replay(afterSeq) };
  }

  /** Ends flow control: remaining output is read as it arrives. */
  beginToClose(): void {
    this.#isClosing = true;
    clearTimeout(this.#idleTimer);
    this.#pty.resume();
    if (this.session === null) this.#pty.close();
  }

  /** Reports the exit and releases everything, after the processes have ended. */
  async close(): Promise<void> {
    const timer = setTimeout(() => this.#end({ exit_code: null, signal: "SIGKILL" }), EXIT_WAIT_MS);
    await this.#ended;
    clearTimeout(timer);
    this.#pty.close();
    this.#unwatch();
  }

  #reply(text: string): void {
    if (this.#pty.waiting < MAX_WAITING_REPLIES) this.#pty.write(text);
  }

  #setPaused(isPaused: boolean): void {
    if (this.#isClosing) return;
    if (isPaused) this.#pty.pause();
    else this.#pty.resume();
  }

  #setAudience(subscribers: number): void {
    this.#audience = subscribers;
    if (subscribers > 0) return;
    this.#idleTimer.refresh();
    this.#setPaused(false);
  }

  #end(exit: TerminalExit): void {
    if (this.#exit !== null) return;
    this.#batcher.end();
    this.#exit = exit;
    this.#endedAt = new Date().toISOString();
    this.#status.end();
    this.#output.publish({ type: "exit", id: this.#id, ...exit });
    this.#output.publish({ type: "changed", id: this.#id });
    this.#onEnded();
  }
}
