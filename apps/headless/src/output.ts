/** Standard output, whose first line has to be the one that names the URL. */
export interface HeldOutput {
  /** Writes a line, or keeps it until the release. */
  write(line: string): void;
  /** Writes the first line, then what was kept. Without a first line only the latter. */
  release(firstLine?: string): void;
}

/** Holds log lines back that come before the first line. */
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
