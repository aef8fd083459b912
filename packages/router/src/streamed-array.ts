/** Characters of JSON that make a piece: enough that its way through a socket costs little, and little to hold. */
const PIECE_LENGTH = 65_536;

/** Settles as `work` does, or gives up on it. */
type Within = <Result>(work: Promise<Result>) => Promise<Result>;

/** Data of an answer that is read while it is sent, so that nobody holds the whole of it. It can be read once. */
export class StreamedArray {
  readonly #pieces: AsyncGenerator<string, string>;
  readonly #first: IteratorResult<string, string>;
  readonly #within: Within;

  private constructor(pieces: AsyncGenerator<string, string>, first: IteratorResult<string, string>, within: Within) {
    this.#pieces = pieces;
    this.#first = first;
    this.#within = within;
  }

  /** Reads the first items. Rejects if that fails, or if `within` gives up on it. */
  static async open(items: AsyncIterable<unknown>, within: Within): Promise<StreamedArray> {
    const pieces = piecesOf(items);
    return new StreamedArray(pieces, await pull(pieces, within), within);
  }

  /** Puts the JSON of the array between two texts: at once where it is short, else piece by piece. */
  between(before: string, after: string): string | AsyncGenerator<string, void> {
    return this.#first.done ? before + this.#first.value + after : this.#piecesBetween(before, after);
  }

  /** Reads the whole array, for whoever shares this process. */
  async collect(): Promise<unknown> {
    let json = "";
    for await (const piece of this.#piecesBetween("", "")) json += piece;
    return JSON.parse(json);
  }

  async *#piecesBetween(before: string, after: string): AsyncGenerator<string, void> {
    try {
      let piece = this.#first;
      for (let ahead = before; ; ahead = "") {
        if (piece.done) {
          yield ahead + piece.value + after;
          return;
        }
        yield ahead + piece.value;
        piece = await pull(this.#pieces, this.#within);
      }
    } finally {
      close(this.#pieces);
    }
  }
}

async function pull(pieces: AsyncGenerator<string, string>, within: Within): Promise<IteratorResult<string, string>> {
  try {
    return await within(pieces.next());
  } catch (error) {
    close(pieces);
    throw error;
  }
}

/** Lets go of the items. Nobody waits for that: what was given up may hang there too. */
function close(pieces: AsyncGenerator<string, string>): void {
  pieces.return("").catch(() => undefined);
}

/** Writes the JSON of an array in pieces, of which the last is what the generator returns. */
async function* piecesOf(items: AsyncIterable<unknown>): AsyncGenerator<string, string> {
  let text = "[";
  let separator = "";
  for await (const item of items) {
    text += separator + JSON.stringify(item);
    separator = ",";
    if (text.length >= PIECE_LENGTH) {
      yield text;
      text = "";
    }
  }
  return `${text}]`;
}
