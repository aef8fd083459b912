export { isUnspacedCharacter } from "./fold.ts";
export type { Phrase, SplitIdentifier } from "./phrase.ts";
export {
  containsFolded,
  countCharacters,
  countContained,
  type FoundPattern,
  findFolded,
  type PieceMatch,
  partsUnder,
  type SubstringPiece,
  type SubstringPieces,
  substringPieces,
  type TextPieces,
} from "./substring.ts";
export { foldText, splitWords, type Token, tokenize, type Word } from "./tokens.ts";
