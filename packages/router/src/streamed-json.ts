import type { JsonPiece, JsonText } from "./json-text.ts";

/** Characters or bytes sent as one piece: large enough for low overhead, small enough for low memory use. */
const PIECE_LENGTH = 65_536;

/** Settles as `work` does, or times out. */
type Within = <Result>(work: Promise<Result>) => Promise<Result>;

type Pieces = AsyncGenerator<JsonPiece, string>;

/** Response data that is read while it is sent, so that it is never completely in memory. Can be read once. */
export class StreamedJson {
  readonly #pieces: Pieces;
  readonly #first: IteratorResult<JsonPiece, string>;
  readonly #within: Within;
  readonly #onEnd: () => void;

  private constructor(pieces: Pieces, first: IteratorResult<JsonPiece, string>, within: Within, onEnd: () => void) {
    this.#pieces = pieces;
    this.#first = first;
    this.#within = within;
    this.#onEnd = onEnd;
  }

  /**
   * Reads the first piece. Rejects if that fails or times out.
   *
   * @param onEnd called when the last piece was sent or the rest was discarded.
   */
  static async open(
    { pieces: text }: Pick<JsonText<unknown>, "pieces">,
    within: Within,
    onEnd = (): void => undefined,
  ): Promise<StreamedJson> {
    const pieces = coalesced(text);
    return new StreamedJson(pieces, await pull(pieces, within), within, onEnd);
  }

  /** Puts the JSON between two texts: as one string if short, otherwise in pieces. */
  between(before: string, after: string): string | AsyncGenerator<JsonPiece, void> {
    if (!this.#first.done) return this.#piecesBetween(before, after);
    this.#onEnd();
    return before + this.#first.value + after;
  }

  /** Reads all of it, for callers in this process. */
  async collect(): Promise<unknown> {
    const decoder = new TextDecoder();
    let json = "";
    for await (const piece of this.#piecesBetween("", "")) {
      json += typeof piece === "string" ? piece : decoder.decode(piece, { stream: true });
    }
    return JSON.parse(json);
  }

  async *#piecesBetween(before: string, after: string): AsyncGenerator<JsonPiece, void> {
    try {
      let ahead = before;
      for (let piece = this.#first; ; piece = await pull(this.#pieces, this.#within)) {
        if (piece.done) {
          yield ahead + piece.value + after;
          return;
        }
        if (typeof piece.value === "string") yield ahead + piece.value;
        else {
          if (ahead !== "") yield ahead;
          yield piece.value;
        }
        ahead = "";
      }
    } finally {
      close(this.#pieces);
      this.#onEnd();
    }
  }
}

async function pull(pieces: Pieces, within: Within): Promise<IteratorResult<JsonPiece, string>> {
  try {
    return await within(pieces.next());
  } catch (error) {
    close(pieces);
    throw error;
  }
}

/** Closes the source of the pieces. Not awaited, because it may hang. */
function close(pieces: Pieces): void {
  pieces.return("").catch(() => undefined);
}

/** Joins short pieces and splits long bytes; returns the last, short piece. */
async function* coalesced(pieces: JsonText<unknown>["pieces"]): Pieces {
  let text = "";
  for await (const piece of pieces) {
    if (typeof piece === "string") text += piece;
    else if (piece.length < PIECE_LENGTH) text += new TextDecoder().decode(piece);
    else {
      if (text !== "") yield text;
      text = "";
      for (let at = 0; at < piece.length; at += PIECE_LENGTH) yield piece.subarray(at, at + PIECE_LENGTH);
    }
    if (text.length < PIECE_LENGTH) continue;
    yield text;
    text = "";
  }
  return text;
}
