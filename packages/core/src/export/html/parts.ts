/**
 * Entries and UTF-16 units per part. Browsers skip the layout of invisible parts: a page of 35 MB with 28,000 entries
 * opens three times as fast with 900 parts. Small enough for layout during scrolling.
 */
const MAX_ENTRIES = 16;
const MAX_CHARACTERS = 64 * 1024;

/**
 * UTF-16 units after which parts are packed. For a page of 60 MB, a browser takes a second to parse the text and
 * another three to create a million elements, most of which are never seen.
 */
const PLAIN_CHARACTERS = 4 * 1024 * 1024;

/**
 * Splits the entries of a page into parts. On large pages, later parts are packed into `<noscript>`: with the script
 * they are text, unpacked on demand; without it they are normal content.
 */
export class Parts {
  #number = -1;
  #isOpen = false;
  #isPacked = false;
  #entries = 0;
  #characters = 0;
  #before = 0;

  /** Index of the part that contains the last written entry, from 0. */
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

  /** Closes the open part, if any. */
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
