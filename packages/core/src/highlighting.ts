/** Code highlighting, in a separate module because of its large grammars. */
export { type HighlightedCode, highlightCode } from "./export/html/code.ts";
export { languageNamed, languageOfPath } from "./export/html/languages.ts";
