/** Standard output whose first line must be the one with the URL. */
export interface HeldOutput {
  /** Writes a line, or keeps it until the release. */
  write(line: string): void;
  /** Writes the first line, if given, then the kept ones. */
  release(firstLine?: string): void;
}

/** Holds back log lines until the first line is written. */
export function holdOutput(write: (text: string) => void): HeldOutput {
  let held: string[] | null = [];
  return {
    write(line) {
      if (held === null) write(line);
      else held.push(line);
    },
    release(firstLine) {
      const lines = held ?? [];
      held = null;
      if (firstLine !== undefined) write(`${firstLine}\n`);
      for (const line of lines) write(line);
    },
  };
}
