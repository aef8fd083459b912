import { reveal } from "./details.ts";
import { allParts, packedHtml, unpack } from "./parts.ts";
import { inSlices } from "./slices.ts";

/** Matches that are marked and counted; somebody who has more needs another word. */
const MOST_MATCHES = 1000;
/** Milliseconds after a key in which the next one may come. */
const TYPING = 150;
/** Elements that do not part words. */
const INLINE = new Set([
  "A",
  "B",
  "CODE",
  "DEL",
  "EM",
  "I",
  "INS",
  "MARK",
  "S",
  "SPAN",
  "STRONG",
  "SUB",
  "SUP",
  "TIME",
]);

interface Match {
  part: Element;
  range: StaticRange;
}

/** Finds text in the branch that is shown, also where it is folded away. */
export class FindBar {
  readonly #bar = document.querySelector<HTMLElement>(".find");
  readonly #input = this.#bar?.querySelector("input") ?? document.createElement("input");
  readonly #output = this.#bar?.querySelector("output") ?? document.createElement("output");
  #matches: Match[] = [];
  #current = -1;
  #turn = 0;
  #cameFrom: Element | null = null;

  constructor() {
    this.#input.addEventListener("input", () => void this.#search());
    this.#bar?.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.close();
      else if (event.key === "Enter" && event.target === this.#input) this.step(event.shiftKey ? -1 : 1);
      else return;
      event.preventDefault();
    });
  }

  open(): void {
    if (this.#bar?.hidden !== false) this.#cameFrom = document.activeElement;
    this.#setOpen(true);
    this.#input.focus();
    this.#input.select();
    if (this.#matches.length === 0) void this.#search();
  }

  close(): void {
    this.#turn++;
    this.#matches = [];
    this.#current = -1;
    this.#paint();
    this.#setOpen(false);
    if (this.#cameFrom instanceof HTMLElement) this.#cameFrom.focus({ preventScroll: true });
  }

  #setOpen(isOpen: boolean): void {
    if (this.#bar !== null) this.#bar.hidden = !isOpen;
    // On a phone the other buttons make room.
    document.documentElement.classList.toggle("finding", isOpen);
  }

  /** Goes to the next match or the one before, round and round. */
  step(by: 1 | -1): void {
    const count = this.#matches.length;
    if (count > 0) this.#goTo((this.#current + by + count) % count);
  }

  async #search(): Promise<void> {
    const turn = ++this.#turn;
    this.#matches = [];
    this.#current = -1;
    const pattern = patternOf(this.#input.value);
    if (pattern !== null) {
      this.#output.textContent = "…";
      const isStale = () => turn !== this.#turn;
      await new Promise((resolve) => setTimeout(resolve, TYPING));
      if (isStale()) return;
      const from = firstInSight();
      await inSlices(
        shownParts(),
        (part) => {
          if (this.#matches.length >= MOST_MATCHES || !mayHold(part, pattern)) return;
          unpack(part);
          for (const range of rangesIn(part, pattern, MOST_MATCHES - this.#matches.length))
            this.#matches.push({ part, range });
        },
        isStale,
      );
      if (isStale()) return;
      const next = this.#matches.findIndex(({ part }) => from === null || part === from || follows(part, from));
      if (this.#matches.length > 0) return this.#goTo(Math.max(0, next));
    }
    this.#paint();
  }

  #goTo(match: number): void {
    this.#current = match;
    const place = this.#matches[match]?.range.startContainer.parentElement;
    if (place) {
      reveal(place);
      place.scrollIntoView({ block: "center" });
    }
    this.#paint();
  }

  #paint(): void {
    const count = this.#matches.length;
    const isSearching = this.#input.value.trim() !== "" && this.#bar?.hidden === false;
    const total = count >= MOST_MATCHES ? `${MOST_MATCHES}+` : String(count);
    this.#output.textContent = count > 0 ? `${this.#current + 1} of ${total}` : isSearching ? "None" : "";
    const here = this.#matches[this.#current]?.range;
    if (!("highlights" in CSS)) {
      if (here !== undefined) {
        getSelection()?.setBaseAndExtent(here.startContainer, here.startOffset, here.endContainer, here.endOffset);
      }
      return;
    }
    const marked = new Highlight(...(here === undefined ? [] : [here]));
    marked.priority = 1;
    CSS.highlights.set("found", new Highlight(...this.#matches.map(({ range }) => range)));
    CSS.highlights.set("found-here", marked);
  }
}

function patternOf(query: string): RegExp | null {
  const words = query.trim().split(/\s+/u);
  if (words[0] === "") return null;
  return new RegExp(words.map((word) => word.replace(/[\\^$.*+?()[\]{}|/]/gu, "\\$&")).join("\\s+"), "giu");
}

function* shownParts(): Generator<Element> {
  const isWhole = document.documentElement.matches(".all-branches");
  for (const part of allParts()) if (isWhole || part.parentElement?.matches(".shown")) yield part;
}

function firstInSight(): Element | null {
  for (const part of shownParts()) if (part.getBoundingClientRect().bottom > 0) return part;
  return null;
}

function follows(part: Element, other: Element): boolean {
  return (other.compareDocumentPosition(part) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
}

const INLINE_TAG = new RegExp(`</?(?:${[...INLINE].join("|")})(?:\\s[^>]*)?>`, "gi");
const ENTITIES: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#39;": "'",
};

/** Whether a part that is still text is worth unpacking. */
function mayHold(part: Element, pattern: RegExp): boolean {
  const html = packedHtml(part);
  if (html === null) return true;
  const text = html.replace(INLINE_TAG, "").replace(/<[^>]*>/g, "\n");
  return text.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity] ?? "").search(pattern) >= 0;
}

/** Matches may run over the borders of elements, as words do in highlighted code. */
function rangesIn(part: Element, pattern: RegExp, most: number): StaticRange[] {
  const nodes: Text[] = [];
  const starts: number[] = [];
  const pieces: string[] = [];
  let length = 0;
  let block: Element | null = null;
  const walker = document.createTreeWalker(part, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    if (!(node instanceof Text) || node.parentElement?.matches(".copy, .code-language")) continue;
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
