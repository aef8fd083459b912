import type { ClientEvent } from "@sm/router/client";
import { type Connection, call } from "../connection/connection.ts";
import { processEvents } from "../connection/process-events.ts";
import { CliError, EXIT } from "../failure.ts";
import type { Shell } from "../shell.ts";

/** Ctrl+], as in telnet. */
const LEAVE = "\u001d";
const CLEAR = "\u001b[2J\u001b[H";
/** Leaves the alternate screen and resets modes: mouse, bracketed paste, hidden cursor, colors. */
const RESTORE = "\u001b[?1049l\u001b[?1000;1002;1003;1006;2004l\u001b[?25h\u001b[0m\r\n";

/**
 * Connects this terminal with one of the service, until that one ends or the user types Ctrl+]. Output is written
 * unchanged.
 */
export async function attachTerminal(id: string, connection: Connection, shell: Shell): Promise<void> {
  const { stdin, stdout } = shell.streams;
  if (stdin.isTTY !== true || stdout.isTTY !== true) {
    throw new CliError(EXIT.usage, "Attaching needs a terminal on this side.");
  }
  const left = new AbortController();
  let shown: number | null = null;
  let ending = "Detached. The terminal keeps running.";
  let typing: Promise<unknown> = Promise.resolve();

  function type(text: string): void {
    const [typed = "", ...rest] = text.split(LEAVE);
    if (typed !== "") typing = typing.then(() => call(connection, "terminal_write", { id, data: typed }));
    if (rest.length > 0) leave();
    typing.catch(leave);
  }

  function leave(): void {
    left.abort();
  }

  /** Errors are reported by the next request. */
  async function fit(): Promise<void> {
    const { columns: cols, rows } = stdout;
    await call(connection, "terminal_resize", { id, cols, rows }).catch(() => undefined);
  }

  /** Prints the terminal's output; returns whether its program has ended. */
  async function showAll(): Promise<boolean> {
    const { seq, data } = await call(connection, "attach_terminal", { id });
    if (shown !== null) shell.write(CLEAR);
    shell.write(data);
    shown = seq;
    const exit = (await call(connection, "list_terminals", {})).find((one) => one.id === id)?.exit ?? null;
    if (exit !== null) ending = endingOf(exit);
    return exit !== null;
  }

  async function take(event: ClientEvent): Promise<boolean> {
    switch (event.event) {
      case "hello":
      case "events-lost":
        return showAll();
      case "terminal-output": {
        const { seq, data } = event.payload;
        // Writing to a terminal is synchronous: if it is slow, this program reads no more, and the service waits.
        if (seq > (shown ?? 0)) shell.write(data);
        shown = Math.max(shown ?? 0, seq);
        return false;
      }
      case "terminal-exit":
        ending = endingOf(event.payload);
        return true;
      default:
        return false;
    }
  }

  await fit();
  const onResize = () => void fit();
  stdin.setRawMode(true);
  stdin.setEncoding("utf8").on("data", type).on("end", leave).resume();
  stdout.on("resize", onResize);
  try {
    await processEvents(connection, [`terminal:${id}`], take, left.signal);
  } finally {
    stdout.off("resize", onResize);
    stdin.off("data", type).off("end", leave).pause();
    stdin.setRawMode(false);
    shell.write(RESTORE);
  }
  if (left.signal.aborted) await typing;
  shell.note(ending);
}

function endingOf({ exit_code, signal }: { exit_code: number | null; signal: string | null }): string {
  return `The program exited (${signal ?? exit_code}).`;
}
