/** Splits highlighted code into its lines, each of which closes what it opens. */
export function linesOfCode(html: string): string[] {
  const lines: string[] = [];
  const open: string[] = [];
  let line = "";
  for (const [piece] of html.matchAll(/<[^>]*>|\n|[^<\n]+/g)) {
    if (piece === "\n") {
      lines.push(line + "</span>".repeat(open.length));
      line = open.join("");
      continue;
    }
    if (piece === "</span>") open.pop();
    else if (piece.startsWith("<")) open.push(piece);
    line += piece;
  }
  lines.push(line);
  return lines;
}

/** Marks a part of a line of highlighted code; `start` and `end` count the characters that are shown. */
export function markedCode(html: string, start: number, end: number): string {
  let at = 0;
  let isOpen = false;
  let marked = "";
  for (const [piece] of html.matchAll(/<[^>]*>|&[^;]*;|[^<&]/gs)) {
    const isTag = piece.startsWith("<");
    const isInside = !isTag && at >= start && at < end;
    if (isOpen !== isInside) marked += isOpen ? "</em>" : "<em>";
    isOpen = isInside;
    marked += piece;
    if (!isTag) at++;
  }
  return isOpen ? `${marked}</em>` : marked;
}
