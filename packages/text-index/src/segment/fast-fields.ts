/** Columns of a segment's documents; the document number is the index. */
export interface FastFields {
  readonly count: number;
  readonly keys: Float64Array;
  readonly ordinals: Uint32Array;
  readonly parts: Uint32Array;
  readonly codes: Uint8Array;
  /** NaN if unknown. */
  readonly timestamps: Float64Array;
  /** Number of terms; a boundary between two texts of a document counts as one. */
  readonly lengths: Uint32Array;
}
