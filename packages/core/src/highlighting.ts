/** Highlighting of code, apart from the rest since its grammars are large. */
export { type HighlightedCode, highlightCode } from "./export/html/code.ts";
export { languageNamed, languageOfPath } from "./export/html/languages.ts";
