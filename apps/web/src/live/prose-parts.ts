/** A piece of Markdown that can be laid out by itself. */
export interface ProsePart {
  text: string;
  /** It ends within a fence, whose end is still to come. */
  isOpenFence: boolean;
}

const FENCE = /^ {0,3}(`{3,}|~{3,})/;

/**
 * Cuts Markdown that is being written where a paragraph or a fence has ended, so that only the last piece has to be
 * laid out again when it grows. What stands across pieces, as a loose list, is right once it is laid out whole.
 */
export function proseParts(text: string): ProsePart[] {
  const parts: ProsePart[] = [];
  let start = 0;
  let fence: string | null = null;
  for (let at = 0; at < text.length; ) {
    const newline = text.indexOf("\n", at);
    const end = newline < 0 ? text.length : newline + 1;
    const line = text.slice(at, end);
    const mark = FENCE.exec(line)?.[1];
    if (fence !== null) {
      if (mark?.startsWith(fence) && line.trim() === mark) {
        fence = null;
        cut(end);
      }
    } else if (mark !== undefined) {
      cut(at);
      fence = mark;
    } else if (line.trim() === "" && newline >= 0) {
      cut(end);
    }
    at = end;
  }
  if (start < text.length) parts.push({ text: text.slice(start), isOpenFence: fence !== null });
  return parts;

  function cut(end: number): void {
    const piece = text.slice(start, end);
    if (piece.trim() !== "") parts.push({ text: piece, isOpenFence: false });
    start = end;
  }
}

/** What stands in a fence that is still open. */
export function openFenceCode(text: string): string {
  return text.slice(text.indexOf("\n") + 1 || text.length);
}

/** The main argument of a call whose JSON is still being written, as far as it is there. */
export function partialArgument(json: string): string | null {
  const found = /"(?:command|path|file_path|pattern|query|url)"\s*:\s*"((?:[^"\\]|\\.){0,400})/.exec(
    json.slice(0, 4_096),
  );
  if (found === null) return null;
  try {
    return JSON.parse(`"${found[1]}"`) as string;
  } catch {
    // It is cut within an escape.
    return null;
  }
}
