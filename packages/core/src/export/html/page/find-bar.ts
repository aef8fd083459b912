import { findPattern } from "../../../search/find-pattern.ts";
import { reveal } from "./details.ts";
import { allParts, packedHtml, unpack } from "./page-parts.ts";
import { inSlices } from "./slices.ts";
import { INLINE, rangesIn } from "./text-ranges.ts";

/** Maximum number of highlighted and counted matches. */
const MAX_MATCHES = 1000;
/** Debounce of typing in milliseconds. */
const TYPING = 150;
/** Elements that are not part of the session. */
const IGNORED = ".copy, .code-language";

interface Match {
  part: Element;
  range: StaticRange;
}

/** Searches the shown branch, including collapsed content. */
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
    // On a phone, other buttons are hidden.
    document.documentElement.classList.toggle("finding", isOpen);
  }

  /** Moves to the next or previous match, wrapping around. */
  step(by: 1 | -1): void {
    const count = this.#matches.length;
    if (count > 0) this.#goTo((this.#current + by + count) % count);
  }

  async #search(): Promise<void> {
    const turn = ++this.#turn;
    this.#matches = [];
    this.#current = -1;
    const pattern = findPattern(this.#input.value);
    if (pattern !== null) {
      this.#output.textContent = "…";
      const isStale = () => turn !== this.#turn;
      await new Promise((resolve) => setTimeout(resolve, TYPING));
      if (isStale()) return;
      const from = firstInSight();
      await inSlices(
        shownParts(),
        (part) => {
          if (this.#matches.length >= MAX_MATCHES || !mayHold(part, pattern)) return;
          unpack(part);
          for (const range of rangesIn(part, pattern, { ignored: IGNORED, most: MAX_MATCHES - this.#matches.length }))
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
    const total = count >= MAX_MATCHES ? `${MAX_MATCHES}+` : String(count);
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

/** Whether a packed part may contain matches. */
function mayHold(part: Element, pattern: RegExp): boolean {
  const html = packedHtml(part);
  if (html === null) return true;
  const text = html.replace(INLINE_TAG, "").replace(/<[^>]*>/g, "\n");
  return text.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity] ?? "").search(pattern) >= 0;
}
