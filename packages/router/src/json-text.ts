/** A piece of JSON text: a string, or complete UTF-8 characters. */
export type JsonPiece = string | Uint8Array;

/**
 * JSON text of a value, in pieces that may be created while they are sent, so that the whole text is never in memory.
 * Can be read once.
 */
export class JsonText<Value> {
  /** For the compiler only: the type of the value. */
  declare readonly value: Value;
  readonly pieces: Iterable<JsonPiece> | AsyncIterable<JsonPiece>;
  /** Total size of the pieces, if they already exist. */
  readonly bytes: number;

  constructor(pieces: JsonText<Value>["pieces"], bytes = 0) {
    this.pieces = pieces;
    this.bytes = bytes;
  }

  /** JSON text of a value in memory. */
  static of<Value>(value: Value): JsonText<Value> {
    const json = JSON.stringify(value);
    return new JsonText([json], json.length);
  }
}

/** Streams a JSON string. */
export async function* jsonString(pieces: AsyncIterable<string> | Iterable<string>): AsyncGenerator<string, void> {
  yield '"';
  for await (const piece of pieces) yield JSON.stringify(piece).slice(1, -1);
  yield '"';
}

/** Streams a JSON array, one item to a line, so that whoever receives it can take the items as they come. */
export async function* jsonArray(items: AsyncIterable<unknown>): AsyncGenerator<string, void> {
  let before = "[";
  for await (const item of items) {
    yield before + JSON.stringify(item);
    before = ",\n";
  }
  yield before === "[" ? "[]" : "]";
}
