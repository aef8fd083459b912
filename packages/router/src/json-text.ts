/** Some JSON text: a string, or whole characters of it in UTF-8. */
export type JsonPiece = string | Uint8Array;

/**
 * The JSON text of a value, in pieces that may be made while they are sent, so that nobody holds the whole of it. To be
 * taken once.
 */
export class JsonText<Value> {
  /** For the compiler alone: what the text is of. */
  declare readonly value: Value;
  readonly pieces: Iterable<JsonPiece> | AsyncIterable<JsonPiece>;
  /** What the pieces are together, where they are made already. */
  readonly bytes: number;

  constructor(pieces: JsonText<Value>["pieces"], bytes = 0) {
    this.pieces = pieces;
    this.bytes = bytes;
  }

  /** Writes a value that is made already. */
  static of<Value>(value: Value): JsonText<Value> {
    const json = JSON.stringify(value);
    return new JsonText([json], json.length);
  }
}

/** Writes a string piece by piece. */
export async function* jsonString(pieces: AsyncIterable<string> | Iterable<string>): AsyncGenerator<string, void> {
  yield '"';
  for await (const piece of pieces) yield JSON.stringify(piece).slice(1, -1);
  yield '"';
}

/** Writes an array item by item. */
export async function* jsonArray(items: AsyncIterable<unknown>): AsyncGenerator<string, void> {
  let before = "[";
  for await (const item of items) {
    yield before + JSON.stringify(item);
    before = ",";
  }
  yield before === "[" ? "[]" : "]";
}
