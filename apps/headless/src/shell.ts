import { once } from "node:events";
import { createInterface } from "node:readline/promises";
import { text } from "node:stream/consumers";
import type { ReadStream, WriteStream } from "node:tty";
import pc from "picocolors";
import { EXIT } from "./failure.ts";
import { type ColorChoice, hasColors } from "./terminal/color.ts";
import { findPager, isLongerThan, type Pager } from "./terminal/pager.ts";
import { visibleJson, visibleLines } from "./terminal/visible.ts";

/** The least of a process's streams that subcommands need; tests have others. */
export interface Streams {
  stdin: Pick<ReadStream, "isTTY" | "setRawMode"> & NodeJS.ReadableStream;
  stdout: Pick<WriteStream, "isTTY" | "columns" | "rows"> & NodeJS.WritableStream;
  stderr: Pick<WriteStream, "isTTY"> & NodeJS.WritableStream;
}

/** How results are shown. */
export interface ViewOptions {
  json?: boolean | undefined;
  quiet?: boolean | undefined;
  color?: ColorChoice | undefined;
  /** `false`: without a pager. */
  pager: boolean;
}

/** Where a subcommand reads and writes. What a reader has no wish to read any more is dropped without a word. */
export class Shell {
  /** Results are written as JSON, else as text for people. */
  readonly json: boolean;
  /** Only results and failures are written, and of lists only what names each item. */
  readonly quiet: boolean;
  /** Columns that a line may take; where the output is no terminal, nothing is cut. */
  readonly width: number;
  readonly colors: ReturnType<typeof pc.createColors>;
  readonly streams: Streams;
  readonly #pager: Pager | null;
  /** What is shown by the pager, where there is one. */
  #page = "";
  #isGone = false;

  /** @param pager instead of the user's own. */
  constructor(streams: Streams, options: ViewOptions, env: NodeJS.ProcessEnv, pager: Pager | null = findPager(env)) {
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

  /** Writes what is safe for a terminal already, colours included. */
  write(safe: string): void {
    if (!this.#isGone) this.streams.stdout.write(safe);
  }

  /** Shows a whole result that is safe for a terminal; a long one on a terminal waits for `showPage`. */
  show(safe: string): void {
    if (this.#pager === null) this.write(safe);
    else this.#page += safe;
  }

  /** Shows what is to be shown at once, by the pager where it does not fit the terminal; waits until that is left. */
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

  /** Writes exactly these bytes, as fast as they are read; on a terminal what it would obey is made visible. */
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

  /** Tells something beside the results, on standard error, to whoever wants to know. */
  note(message: string): void {
    if (!this.quiet) this.warn(message);
  }

  /** Tells what everybody has to know, on standard error. */
  warn(message: string): void {
    this.streams.stderr.write(`${visibleLines(message)}\n`);
  }

  /** Whether somebody can be asked. */
  get canAsk(): boolean {
    return this.streams.stdin.isTTY === true && this.streams.stderr.isTTY === true;
  }

  /** Asks a question that is answered by yes or no; anything but a clear yes is a no. */
  async confirm(question: string): Promise<boolean> {
    // The terminal edits the line by itself, and its Ctrl+C ends the program.
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

  /** A full disk, for example: what was written is not all there is. */
  #failToWrite(error: Error): void {
    this.warn(`Could not write the output: ${error.message}`);
    process.exitCode = EXIT.failure;
  }

  /** Reads standard input to its end. */
  readInput(): Promise<string> {
    return text(this.streams.stdin);
  }
}
