/** The documents of a segment by column; a document's number is its place in each of them. */
export interface FastFields {
  readonly count: number;
  readonly keys: Float64Array;
  readonly ordinals: Uint32Array;
  readonly parts: Uint32Array;
  readonly codes: Uint8Array;
  /** NaN where there is none. */
  readonly timestamps: Float64Array;
  /** Terms of the text; a border between two texts of a document counts as one. */
  readonly lengths: Uint32Array;
}
