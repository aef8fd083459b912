// What WebAssembly and TypeScript have to agree on: both import this file.

/** Documents that are coded together, and can be skipped together. */
export const BLOCK_DOCUMENTS = 128;
/** Documents of a block whose positions can be skipped together. */
export const GROUP_DOCUMENTS = 16;
export const GROUPS_OF_BLOCK = BLOCK_DOCUMENTS / GROUP_DOCUMENTS;
/** The parameter of Rice's code is close to the logarithm of the median, which is this share of the mean. */
export const MEDIAN_OF_MEAN = 0.69;
/** In the place of a term: keeps the texts of a document apart, so that no phrase goes from one to the next. */
export const POSITION_GAP = 0xffffffff;

/** Posting lists that are encoded with one call. */
export const MOST_LISTS = 1 << 10;
/** What is told of each: twice its documents, plus one where it has positions; bytes of postings; bytes of positions. */
export const NUMBERS_OF_LIST = 3;

/** Longer words are hashes and encoded data; cutting them keeps the vocabulary bounded. */
export const WORD_LIMIT = 64;
/** UTF-16 units of a term that is none of a text, or of an identifier with its parts. */
export const TERM_LIMIT = 1024;
/** UTF-16 units of text that are split with one call; as many times two are bytes of a JSON string. */
export const PIECE_UNITS = 1 << 15;
/** Terms that are handed over with one call. */
export const MOST_NUMBERS = 1 << 13;
