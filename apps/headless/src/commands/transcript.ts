interface Line {
  text: string;
  /** Heading level, 0 for any other line. */
  level: number;
}

/**
 * Keeps the beginning of a Markdown export up to its first message, and the last `count` turns. Relies on the export's
 * guarantee that headings of level 1 to 3 outside of code are its own.
 */
export function lastTurns(markdown: string, count: number): string {
  const lines = [...readLines(markdown)];
  const turns = lines.flatMap(({ level }, at) => (level === 2 ? [at] : []));
  const first = turns[0] ?? lines.length;
  const from = turns[Math.max(0, turns.length - count)] ?? lines.length;
  return [...lines.slice(0, first), ...lines.slice(from)].map(({ text }) => text).join("\n");
}

/** Colors the headings of a Markdown export by level. */
export function paintHeadings(markdown: string, paint: (text: string, level: number) => string): string {
  return [...readLines(markdown)].map(({ text, level }) => (level === 0 ? text : paint(text, level))).join("\n");
}

function* readLines(markdown: string): Generator<Line> {
  let fence: string | null = null;
  for (const text of markdown.split("\n")) {
    const marker = /^\s*(`{3,})/.exec(text)?.[1];
    let level = 0;
    if (fence === null) {
      level = /^(#{1,3}) /.exec(text)?.[1]?.length ?? 0;
      fence = marker ?? null;
    } else if (marker !== undefined && marker.length >= fence.length && text.trim() === marker) {
      fence = null;
    }
    yield { text, level };
  }
}
