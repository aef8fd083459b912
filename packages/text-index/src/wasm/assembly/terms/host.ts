// What is asked of `Tokenizer`.

/** Splits with `pushFolded` what is joined by characters beyond ASCII, and goes on behind the piece. Returns its end. */
export declare function fold(at: i32, end: i32): i32;
/** Says how the word in `wordUnits` comes apart, see `partsOf`. The ends go to `wordEnds`. */
export declare function parts(length: i32): i32;
/** Takes the first `count` numbers. */
export declare function take(count: i32): void;
