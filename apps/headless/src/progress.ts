import type { LibraryStatus } from "@sm/core";

/** The parts of a terminal that a progress line needs. */
export interface Terminal {
  isTTY?: boolean;
  write(text: string): unknown;
}

export interface ProgressLine {
  update(status: LibraryStatus): void;
  /** Removes the line before other output; the next update restores it. */
  clear(): void;
}

const INTERVAL_MS = 100;
/** Before this, the remaining time cannot be estimated. */
const MIN_TIME_MS = 2_000;
/** Clears the current line. */
export const CLEAR_LINE = "\r\x1b[2K";

/** Shows the first indexing as one line that is rewritten and finally removed. Silent without a terminal. */
export function progressLine(terminal: Terminal, now: () => number = Date.now): ProgressLine {
  let shown = false;
  let finished = terminal.isTTY !== true;
  let nextAt = 0;
  let start: { time: number; bytes: number } | null = null;
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
        start ??= { time: now(), bytes: status.bytes_done };
        const elapsed = now() - start.time;
        const rate = elapsed < MIN_TIME_MS ? 0 : (status.bytes_done - start.bytes) / elapsed;
        terminal.write(CLEAR_LINE + progressText(status, rate));
      }
    },
  };
}

/** @param rate bytes per millisecond, 0 if unknown. */
function progressText({ bytes_done, bytes_total, pending }: LibraryStatus, rate: number): string {
  const percent = Math.floor((100 * Math.min(bytes_done, bytes_total)) / bytes_total);
  const parts = [`${percent} % of ${megabytes(bytes_total)}`, `files left: ${pending.toLocaleString("en")}`];
  if (rate > 0) parts.push(`${megabytes(rate * 1000)}/s`, `${duration((bytes_total - bytes_done) / rate)} left`);
  return `Indexing sessions: ${parts.join(", ")}`;
}

function duration(milliseconds: number): string {
  const seconds = Math.ceil(Math.max(0, milliseconds) / 1000);
  return seconds < 90 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`;
}

export function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toLocaleString("en", { maximumFractionDigits: 1 })} MB`;
}
