import type { LibraryStatus } from "@sm/core";

/** The least that a line on a terminal needs. */
export interface Terminal {
  isTTY?: boolean;
  write(text: string): unknown;
}

export interface ProgressLine {
  update(status: LibraryStatus): void;
  /** Takes the line away, so that something else can be written; the next update brings it back. */
  clear(): void;
}

const INTERVAL_MS = 100;
const CLEAR_LINE = "\r\x1b[2K";

/** Shows the first indexing as one line that rewrites itself and disappears at the end. Silent without a terminal. */
export function progressLine(terminal: Terminal, now: () => number = Date.now): ProgressLine {
  let shown = false;
  let finished = terminal.isTTY !== true;
  let nextAt = 0;
  const clear = (): void => {
    if (shown) terminal.write(CLEAR_LINE);
    shown = false;
  };
  return {
    clear,
    update(status) {
      if (finished) return;
      if (status.state === "ready" || status.state === "degraded") {
        finished = true;
        clear();
      } else if (status.bytes_total > 0 && now() >= nextAt) {
        nextAt = now() + INTERVAL_MS;
        shown = true;
        terminal.write(CLEAR_LINE + progressText(status));
      }
    },
  };
}

function progressText({ bytes_done, bytes_total, pending }: LibraryStatus): string {
  const percent = Math.floor((100 * Math.min(bytes_done, bytes_total)) / bytes_total);
  return `Indexing sessions: ${percent} % of ${megabytes(bytes_total)}, files to go: ${pending.toLocaleString("en")}`;
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toLocaleString("en", { maximumFractionDigits: 1 })} MB`;
}
