/**
 * Entries and UTF-16 units of one part. A browser leaves out the layout of parts that are out of sight: a page of 35 MB
 * with 28,000 entries opens three times as fast when it has 900 boxes to place instead of all. Small enough that one
 * is laid out while somebody scrolls.
 */
const MAX_ENTRIES = 16;
const MAX_CHARACTERS = 64 * 1024;

/**
 * UTF-16 units after which parts are packed. Of a page of 60 MB, a browser takes a second to open the text and another
 * three to make a million elements of it, nearly all of which nobody looks at.
 */
const PLAIN_CHARACTERS = 4 * 1024 * 1024;

/**
 * Cuts the entries of a page into parts. Where there are too many to open all at once, the later parts are packed into
 * `<noscript>`: to a browser that runs the script they are text, which it unpacks where somebody looks; to one that
 * runs none they are the page.
 */
export class Parts {
  #number = -1;
  #isOpen = false;
  #isPacked = false;
  #entries = 0;
  #characters = 0;
  #before = 0;

  /** The part that the entry written last is in, counted from 0 in the whole page. */
  get number(): number {
    return this.#number;
  }

  *add(html: string): Generator<string> {
    if (this.#entries === MAX_ENTRIES || this.#characters > MAX_CHARACTERS) yield* this.end();
    if (!this.#isOpen) yield this.#begin();
    yield `${html}\n`;
    this.#entries++;
    this.#characters += html.length;
  }

  /** Ends the part that is open, if one is. */
  *end(): Generator<string> {
    if (!this.#isOpen) return;
    yield this.#isPacked ? "</noscript></div>\n" : "</div>\n";
    this.#isOpen = false;
    this.#before += this.#characters;
  }

  #begin(): string {
    this.#number++;
    this.#isOpen = true;
    this.#isPacked = this.#before > PLAIN_CHARACTERS;
    this.#entries = 0;
    this.#characters = 0;
    return this.#isPacked ? '<div class="part packed"><noscript>\n' : '<div class="part">\n';
  }
}
