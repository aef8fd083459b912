// How a scanned line lists its values. The scanner in WebAssembly imports this file too, so it has numbers only.

/** Numbers per token in `ScannedLine.tokens`. */
export const TOKEN_NUMBERS = 5;
/** The first number of a token is its kind and so many times its name. */
export const NAME_STEP = 16;

/** Kinds of tokens. */
export const NULL = 0;
export const FALSE = 1;
export const TRUE = 2;
export const NUMBER = 3;
/** ASCII string without escapes. */
export const ASCII = 4;
/** UTF-8 string without escapes. Invalid UTF-8 decodes to U+FFFD, as in a completely decoded line. */
export const UTF8 = 5;
/** String with escapes. */
export const ESCAPED = 6;
export const ARRAY = 7;
export const OBJECT = 8;
