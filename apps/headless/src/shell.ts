import { once } from "node:events";
import { createInterface } from "node:readline/promises";
import { text } from "node:stream/consumers";
import type { ReadStream, WriteStream } from "node:tty";
import pc from "picocolors";
import { EXIT } from "./failure.ts";
import { type ColorChoice, hasColors } from "./terminal/color-support.ts";
import { findPager, isLongerThan, type Pager } from "./terminal/pager.ts";
import { visibleJson, visibleLines } from "./terminal/visible.ts";

/** The process streams that subcommands use; tests provide others. */
export interface ProcessStreams {
  stdin: Pick<ReadStream, "isTTY" | "setRawMode"> & NodeJS.ReadableStream;
  stdout: Pick<WriteStream, "isTTY" | "columns" | "rows"> & NodeJS.WritableStream;
  stderr: Pick<WriteStream, "isTTY"> & NodeJS.WritableStream;
}

/** How to print results. */
export interface ViewOptions {
  json?: boolean | undefined;
  quiet?: boolean | undefined;
  color?: ColorChoice | undefined;
  /** `false`: without a pager. */
  pager: boolean;
}

/** Input and output of a subcommand. Output is dropped silently when its reader has closed the pipe. */
export class Shell {
  /** Results are written as JSON, otherwise as text. */
  readonly json: boolean;
  /** Only results and errors are written, and of lists only the names. */
  readonly quiet: boolean;
  /** Maximum line width; unlimited if the output is not a terminal. */
  readonly width: number;
  readonly colors: ReturnType<typeof pc.createColors>;
  readonly streams: ProcessStreams;
  readonly #pager: Pager | null;
  /** Text collected for the pager. */
  #page = "";
  #isGone = false;

  /** @param pager replaces the user's own. */
  constructor(
    streams: ProcessStreams,
    options: ViewOptions,
    env: NodeJS.ProcessEnv,
    pager: Pager | null = findPager(env),
  ) {
    const { stdout, stderr } = streams;
    const isTerminal = stdout.isTTY === true;
    this.streams = streams;
    this.json = options.json === true;
    this.quiet = options.quiet === true;
    this.width = (isTerminal && stdout.columns) || Number.POSITIVE_INFINITY;
    this.colors = pc.createColors(hasColors(options.color, isTerminal, env));
    this.#pager = options.pager && isTerminal && env.TERM !== "dumb" ? pager : null;
    stdout.on("error", (error: NodeJS.ErrnoException) => {
      if (!this.#isGone && error.code !== "EPIPE") this.#failToWrite(error);
      this.#isGone = true;
    });
    stderr.on("error", () => {});
  }

  /** Writes escaped text; colors are allowed. */
  write(safe: string): void {
    if (!this.#isGone) this.streams.stdout.write(safe);
  }

  /** Shows a complete, escaped result; on a terminal it is collected for `showPage`. */
  show(safe: string): void {
    if (this.#pager === null) this.write(safe);
    else this.#page += safe;
  }

  /** Shows the collected text, in the pager if it does not fit; waits until the pager is closed. */
  async showPage(): Promise<void> {
    const { columns, rows } = this.streams.stdout;
    const page = this.#page;
    this.#page = "";
    if (page === "") return;
    const isLong = columns > 0 && rows > 0 && isLongerThan(page, { columns, rows });
    if (!isLong || this.#pager === null || !(await this.#pager(page))) this.write(page);
  }

  /** Writes a value as JSON. */
  writeJson(value: unknown): void {
    this.show(`${visibleJson(value)}\n`);
  }

  /** Writes a value as one line of JSON. */
  writeJsonLine(value: unknown): void {
    this.write(`${visibleJson(value, 0)}\n`);
  }

  /** Writes bytes unchanged at the reader's pace; on a terminal control characters are escaped. */
  async writeBytes(chunks: AsyncIterable<Uint8Array>): Promise<void> {
    const { stdout } = this.streams;
    const decoder = new TextDecoder();
    for await (const chunk of chunks) {
      if (this.#isGone) return;
      const piece = stdout.isTTY === true ? visibleLines(decoder.decode(chunk, { stream: true })) : chunk;
      if (stdout.write(piece)) continue;
      await Promise.race([once(stdout, "drain"), once(stdout, "close")]).catch(() => undefined);
    }
  }

  /** Writes a note to standard error, unless quiet. */
  note(message: string): void {
    if (!this.quiet) this.warn(message);
  }

  /** Writes a message to standard error. */
  warn(message: string): void {
    this.streams.stderr.write(`${visibleLines(message)}\n`);
  }

  /** Whether the user can be asked. */
  get canAsk(): boolean {
    return this.streams.stdin.isTTY === true && this.streams.stderr.isTTY === true;
  }

  /** Asks a yes/no question; anything but a clear yes is a no. */
  async confirm(question: string): Promise<boolean> {
    // The terminal edits the line itself, and its Ctrl+C ends the program.
    const lines = createInterface({ input: this.streams.stdin, output: this.streams.stderr, terminal: false });
    try {
      const answer = await Promise.race([
        lines.question(`${visibleLines(question)} [y/N] `),
        once(lines, "close").then(() => ""),
      ]);
      return /^y(es)?$/i.test(answer.trim());
    } finally {
      lines.close();
    }
  }

  /** The output is incomplete, for example because of a full disk. */
  #failToWrite(error: Error): void {
    this.warn(`Could not write the output: ${error.message}`);
    process.exitCode = EXIT.failure;
  }

  /** Reads standard input to its end. */
  readInput(): Promise<string> {
    return text(this.streams.stdin);
  }
}
