/** Elements that do not separate words. */
export const INLINE = new Set([
  "A",
  "B",
  "CODE",
  "DEL",
  "EM",
  "I",
  "INS",
  "MARK",
  "S",
  "SAMP",
  "SPAN",
  "STRONG",
  "SUB",
  "SUP",
  "TIME",
]);

export interface TextRangesOptions {
  /** Selector of elements without transcript text. */
  ignored: string;
  most: number;
}

/** Finds text in an element; matches may span elements, as in highlighted code. */
export function rangesIn(element: Element, pattern: RegExp, { ignored, most }: TextRangesOptions): StaticRange[] {
  const nodes: Text[] = [];
  const starts: number[] = [];
  const pieces: string[] = [];
  let length = 0;
  let block: Element | null = null;
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    if (!(node instanceof Text) || node.parentElement?.closest(ignored) != null) continue;
    let around = node.parentElement;
    while (around !== null && INLINE.has(around.tagName)) around = around.parentElement;
    if (around !== block) {
      pieces.push("\n");
      length++;
      block = around;
    }
    nodes.push(node);
    starts.push(length);
    pieces.push(node.data);
    length += node.length;
  }
  const ranges: StaticRange[] = [];
  for (const { index, 0: text } of pieces.join("").matchAll(pattern)) {
    const start = placeOf(index);
    const end = placeOf(index + text.length - 1);
    if (start === null || end === null) continue;
    ranges.push(
      new StaticRange({
        startContainer: start.node,
        startOffset: start.offset,
        endContainer: end.node,
        endOffset: end.offset + 1,
      }),
    );
    if (ranges.length === most) break;
  }
  return ranges;

  function placeOf(offset: number): { node: Text; offset: number } | null {
    let from = 0;
    let to = starts.length;
    while (from < to) {
      const middle = (from + to) >> 1;
      if ((starts[middle] ?? 0) <= offset) from = middle + 1;
      else to = middle;
    }
    const node = nodes[from - 1];
    return node === undefined ? null : { node, offset: offset - (starts[from - 1] ?? 0) };
  }
}
