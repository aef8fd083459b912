/** Elements that do not part words. */
const INLINE = new Set([
  "A",
  "B",
  "CODE",
  "DEL",
  "EM",
  "I",
  "INS",
  "S",
  "SAMP",
  "SPAN",
  "STRONG",
  "SUB",
  "SUP",
  "TIME",
]);

/** What is no part of the transcript. */
const OWN = ".head, .copy, .code-language, .fork, .more, .sr-only, .placeholder";

/** Finds text in an element; matches may run over the borders of elements, as words do in highlighted code. */
export function rangesIn(element: Element, pattern: RegExp, most: number): Range[] {
  const nodes: Text[] = [];
  const starts: number[] = [];
  const pieces: string[] = [];
  let length = 0;
  let block: Element | null = null;
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    if (!(node instanceof Text) || node.parentElement?.closest(OWN) != null) continue;
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
  const ranges: Range[] = [];
  for (const { index, 0: text } of pieces.join("").matchAll(pattern)) {
    const start = placeOf(index);
    const end = placeOf(index + text.length - 1);
    if (start === null || end === null) continue;
    const range = new Range();
    range.setStart(start.node, start.offset);
    range.setEnd(end.node, end.offset + 1);
    ranges.push(range);
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
