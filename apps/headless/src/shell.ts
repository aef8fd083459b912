import { once } from "node:events";
import { createInterface } from "node:readline/promises";
import { text } from "node:stream/consumers";
import type { ReadStream, WriteStream } from "node:tty";
import pc from "picocolors";
import { EXIT } from "./failure.ts";
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
  table?: boolean | undefined;
  color: boolean;
}

/** For what is no terminal and is to show a table all the same. */
const DEFAULT_WIDTH = 100;

/** Where a subcommand reads and writes. What a reader has no wish to read any more is dropped without a word. */
export class Shell {
  /** JSON was asked for. */
  readonly json: boolean;
  /** Whether lists and records are shown to people rather than as JSON. */
  readonly forPeople: boolean;
  /** Columns that a line may take. */
  readonly width: number;
  readonly colors: ReturnType<typeof pc.createColors>;
  readonly streams: Streams;
  #isGone = false;

  constructor(streams: Streams, options: ViewOptions, env: NodeJS.ProcessEnv) {
    const { stdout, stderr } = streams;
    this.streams = streams;
    this.json = options.json === true;
    this.forPeople = !this.json && (options.table === true || stdout.isTTY === true);
    this.width = stdout.columns || DEFAULT_WIDTH;
    this.colors = pc.createColors(stdout.isTTY === true && options.color && !env.NO_COLOR && env.TERM !== "dumb");
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

  /** Writes a value as JSON. */
  writeJson(value: unknown): void {
    this.write(`${visibleJson(value)}\n`);
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

  /** Tells something beside the results, on standard error. */
  note(message: string): void {
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
    this.note(`The output cannot be written: ${error.message}`);
    process.exitCode = EXIT.failure;
  }

  /** Reads standard input to its end. */
  readInput(): Promise<string> {
    return text(this.streams.stdin);
  }
}
