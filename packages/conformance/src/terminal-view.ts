import type { AttachedTerminal, Terminal } from "@sm/core";
import type { EventPayloads } from "@sm/router/events";
import { Inbox } from "./inbox.ts";
import type { PushEvent } from "./push-event.ts";
import { TestSocket } from "./test-socket.ts";

type Output = EventPayloads["terminal-output"];

const TAIL_LENGTH = 65_536;

/** A client of one terminal, which shows what it is told, keeps the end of it, and notes what is wrong. */
export class TerminalView implements AsyncDisposable {
  readonly socket: TestSocket;
  readonly id: string;
  /** Number of the last output that was shown. */
  seq: number;
  /** The end of what was shown. */
  tail = "";
  /** Characters that came as events. */
  received = 0;
  /** The last line that is a number. */
  lastNumber = 0;
  /** Outputs and numbers that did not follow those before. */
  readonly wrong: string[] = [];
  /** Has one more item whenever something was shown. */
  readonly #shown = new Inbox<null>();
  #line = "";
  /** What comes while the answer to `attach_terminal` is on its way. */
  #early: Output[] | null = null;

  private constructor(socket: TestSocket, id: string, seq: number) {
    this.socket = socket;
    this.id = id;
    this.seq = seq;
    socket.socket.on("message", (data) => {
      const { event, payload } = JSON.parse(data.toString()) as PushEvent;
      if (event === "terminal-output") this.#take(payload as Output);
    });
  }

  /** Opens a terminal with a shell that shows nothing but what programs write. */
  static async create(url: string, cwd: string): Promise<TerminalView> {
    const socket = await TestSocket.open(url);
    const { data } = await socket.ask("create_terminal", { cwd, shell: "/bin/sh" });
    const view = new TerminalView(socket, (data as Terminal).id, 0);
    await view.attach();
    await view.type("stty -echo; PS1=; echo re''ady");
    await view.shows("ready\r\n");
    return view;
  }

  /** Attaches another client. */
  async another(): Promise<TerminalView> {
    const view = new TerminalView(await TestSocket.open(this.socket.socket.url.replace(/\/ws$/, "")), this.id, 0);
    await view.attach();
    return view;
  }

  async attach(afterSeq: number | null = null): Promise<AttachedTerminal> {
    this.#early = [];
    const { data, error } = await this.socket.ask("attach_terminal", { id: this.id, after_seq: afterSeq });
    if (error !== null) throw new Error(`attach_terminal failed: ${error.message}`);
    const attached = data as AttachedTerminal;
    // All of it comes anew; its first line may be the rest of one.
    if (afterSeq === null) {
      this.#line = "";
      this.lastNumber = 0;
    }
    this.#show(attached);
    this.seq = attached.seq;
    const early = this.#early;
    this.#early = null;
    for (const output of early) this.#take(output);
    return attached;
  }

  /** Types a line. */
  async type(line: string): Promise<void> {
    const { error } = await this.socket.ask("terminal_write", { id: this.id, data: `${line}\r` });
    if (error !== null) throw new Error(`terminal_write failed: ${error.message}`);
  }

  /** Waits until the end of what is shown has this text. */
  async shows(text: string): Promise<void> {
    await this.until(() => this.tail.includes(text));
  }

  async until(holds: () => boolean): Promise<void> {
    await this.#shown.until(() => (holds() ? true : undefined));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.socket[Symbol.asyncDispose]();
  }

  #take(output: Output): void {
    if (this.#early !== null) {
      this.#early.push(output);
      return;
    }
    // What is in an answer may come as an event too.
    if (output.id !== this.id || output.seq <= this.seq) return;
    if (output.seq !== this.seq + 1) this.wrong.push(`output ${output.seq} after ${this.seq}`);
    this.seq = output.seq;
    this.received += output.data.length;
    this.#show(output);
  }

  #show({ data }: { data: string }): void {
    this.tail = (this.tail + data).slice(-TAIL_LENGTH);
    const lines = (this.#line + data).split("\r\n");
    this.#line = lines.pop() ?? "";
    for (const line of lines) {
      if (!/^\d+$/.test(line)) continue;
      if (Number(line) !== this.lastNumber + 1 && this.lastNumber !== 0)
        this.wrong.push(`${line} after ${this.lastNumber}`);
      this.lastNumber = Number(line);
    }
    this.#shown.push(null);
  }
}
