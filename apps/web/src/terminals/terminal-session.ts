import type { ClientEvent } from "@sm/router/client";
import { FitAddon } from "@xterm/addon-fit";
import { SearchAddon } from "@xterm/addon-search";
import { WebLinksAddon } from "@xterm/addon-web-links";
import { Terminal } from "@xterm/xterm";
import type { Service } from "../client/service.ts";
import type { ListedTerminal } from "../client/terminals.ts";
import { withoutControls } from "../design/copy-text.ts";
import { InputQueue } from "./input-queue.ts";
import { OutputOrder, type OutputStep } from "./output-order.ts";
import { isOwnKey, withControl } from "./special-keys.ts";
import { linkAddress, openLink } from "./terminal-link.ts";
import { terminalTheme } from "./terminal-theme.ts";

/** What others show of a terminal. */
export interface TerminalState {
  /** What the program calls its window; empty where it has not. */
  title: string;
  exit: ListedTerminal["exit"];
  /** Why the terminal is not what it shows. */
  error: Error | null;
  /** The next character is typed with Ctrl. */
  hasControl: boolean;
  found: { place: number; count: number } | null;
  hasSelection: boolean;
}

type TerminalService = Pick<Service, "call" | "events" | "acknowledge">;

/** Lines that one can scroll back. */
const SCROLLBACK = 5_000;
const MAX_TITLE_LENGTH = 1_000;
/** Empties the terminal, after all that is still to be written to it. */
const RESET = "\u001bc";
/** Sizes that a terminal may have. */
const SMALLEST = 1;
const LARGEST = 1_000;

/** A terminal of the service in this page. It keeps running and receiving output while another one is shown. */
export class TerminalSession {
  readonly id: string;
  readonly terminal: Terminal;
  readonly search = new SearchAddon({ highlightLimit: 1_000 });
  readonly #service: TerminalService;
  readonly #fit = new FitAddon();
  readonly #order = new OutputOrder();
  readonly #input: InputQueue;
  readonly #listeners = new Set<() => void>();
  readonly #element = document.createElement("div");
  readonly #stream: { close(): void };
  #state: TerminalState;
  /** Output that is shown again: what it asks the terminal was answered the first time. */
  #replays = 0;
  #attempt = 0;
  #size: { cols: number; rows: number };

  constructor(service: TerminalService, listed: ListedTerminal) {
    this.id = listed.id;
    this.#service = service;
    this.#size = { cols: listed.cols, rows: listed.rows };
    this.#state = { title: "", exit: listed.exit, error: null, hasControl: false, found: null, hasSelection: false };
    this.#input = new InputQueue(
      (data) => service.call("terminal_write", { id: listed.id, data }),
      (error) => this.#set({ error: error as Error }),
    );
    this.terminal = new Terminal({
      cols: listed.cols,
      rows: listed.rows,
      scrollback: SCROLLBACK,
      fontFamily: getComputedStyle(document.documentElement).getPropertyValue("--font-mono") || "monospace",
      fontSize: 13,
      lineHeight: 1.25,
      fontWeightBold: "600",
      cursorBlink: false,
      theme: terminalTheme(),
      // Programs choose colours without knowing what they stand on.
      minimumContrastRatio: 4.5,
      // Marks of what is found are decorations.
      allowProposedApi: true,
      linkHandler: {
        activate: (_event, text) => openLink(text),
        hover: (_event, text) => this.#showAddress(text),
        leave: () => this.#showAddress(null),
      },
    });
    this.#element.className = "h-full";
    this.#setUp();
    this.#stream = service.events({ topics: [`terminal:${this.id}`], onEvent: (event) => this.#handleEvent(event) });
  }

  readonly get = (): TerminalState => this.#state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Puts the terminal into a place of the page, where it fills its room. Returns what takes it away. */
  show(place: HTMLElement): () => void {
    place.append(this.#element);
    if (this.terminal.element === undefined) this.terminal.open(this.#element);
    const sizes = new ResizeObserver(() => this.fit());
    sizes.observe(place);
    return () => {
      sizes.disconnect();
      this.#element.remove();
    };
  }

  /** Makes it as large as its place. */
  fit(): void {
    if (this.#replays > 0 || !this.#element.isConnected) return;
    const wanted = this.#fit.proposeDimensions();
    if (wanted === undefined || !(wanted.cols > 1) || !(wanted.rows > 0)) return;
    const cols = Math.min(LARGEST, Math.max(SMALLEST, wanted.cols));
    const rows = Math.min(LARGEST, Math.max(SMALLEST, wanted.rows));
    if (cols !== this.terminal.cols || rows !== this.terminal.rows) this.terminal.resize(cols, rows);
    if (this.#state.exit !== null || (cols === this.#size.cols && rows === this.#size.rows)) return;
    this.#size = { cols, rows };
    // An ended terminal cannot be resized; its end is reported separately.
    this.#service.call("terminal_resize", { id: this.id, cols, rows }).catch(() => {});
  }

  /** Sends a key as it is. */
  press(sequence: string): void {
    if (this.#state.exit === null) this.#input.type(sequence);
  }

  /** Types text as if it were pasted: programs that ask for it are told that it is. */
  paste(text: string): void {
    this.terminal.paste(withoutControls(text));
  }

  setControl(hasControl: boolean): void {
    this.#set({ hasControl });
  }

  setTheme(): void {
    this.terminal.options.theme = terminalTheme();
  }

  retry(): void {
    void this.#attach();
  }

  dispose(): void {
    this.#stream.close();
    this.terminal.dispose();
    this.#element.remove();
    this.#listeners.clear();
  }

  #setUp(): void {
    const { terminal } = this;
    // xterm.js passes the end of a bracketed paste on (GHSA-h62m-39wp-xq3w), after which the rest would be typed.
    this.#element.addEventListener("paste", (event) => this.#pasteFrom(event), { capture: true });
    terminal.loadAddon(this.#fit);
    terminal.loadAddon(this.search);
    terminal.loadAddon(
      new WebLinksAddon((_event, text) => openLink(text), {
        hover: (_event, text) => this.#showAddress(text),
        leave: () => this.#showAddress(null),
      }),
    );
    terminal.attachCustomKeyEventHandler((event) => !isOwnKey(event));
    terminal.onData((data) => this.#type(data));
    terminal.onTitleChange((title) => this.#set({ title: title.slice(0, MAX_TITLE_LENGTH) }));
    terminal.onSelectionChange(() => this.#set({ hasSelection: terminal.hasSelection() }));
    this.search.onDidChangeResults(({ resultIndex, resultCount }) =>
      this.#set({ found: { place: resultIndex + 1, count: resultCount } }),
    );
  }

  #pasteFrom(event: ClipboardEvent): void {
    event.preventDefault();
    event.stopPropagation();
    this.paste(event.clipboardData?.getData("text/plain") ?? "");
  }

  #type(data: string): void {
    if (this.#replays > 0 || this.#state.exit !== null) return;
    this.#input.type(this.#state.hasControl ? withControl(data) : data);
    if (this.#state.hasControl) this.#set({ hasControl: false });
  }

  #handleEvent(event: ClientEvent): void {
    switch (event.event) {
      case "hello":
      case "events-lost":
        void this.#attach();
        return;
      case "terminal-output":
        if (event.payload.id === this.id) this.#applyStep(this.#order.take(event.payload));
        return;
      case "terminal-exit":
        if (event.payload.id !== this.id) return;
        this.#set({ exit: { exit_code: event.payload.exit_code, signal: event.payload.signal } });
    }
  }

  #applyStep(step: OutputStep): void {
    if (step.type === "attach") void this.#attach();
    if (step.type !== "write") return;
    const { seq, data } = step.output;
    // The service sends more as this is shown, so that a flood never fills the page.
    this.terminal.write(data, () => this.#service.acknowledge(this.id, seq));
  }

  /** Shows the terminal's recent output, and continues from there. */
  async #attach(): Promise<void> {
    this.#attempt += 1;
    const attempt = this.#attempt;
    this.#order.begin();
    try {
      const { cols, rows, seq, data } = await this.#service.call("attach_terminal", { id: this.id });
      if (attempt !== this.#attempt) return;
      this.#replays += 1;
      this.#size = { cols, rows };
      // What was written for one size is wrong in another.
      this.terminal.resize(cols, rows);
      this.terminal.write(RESET + data, () => {
        this.#replays -= 1;
        this.#service.acknowledge(this.id, seq);
        this.fit();
      });
      this.#set({ error: null });
      for (const step of this.#order.attached(seq)) this.#applyStep(step);
    } catch (error) {
      if (attempt === this.#attempt) this.#set({ error: error as Error });
    }
  }

  #showAddress(text: string | null): void {
    const address = text === null ? null : linkAddress(text);
    if (address === null) this.#element.removeAttribute("title");
    else this.#element.title = address;
  }

  #set(change: Partial<TerminalState>): void {
    this.#state = { ...this.#state, ...change };
    for (const listener of [...this.#listeners]) listener();
  }
}
