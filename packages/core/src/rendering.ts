/**
 * Building blocks for pages that show transcripts. All functions accept untrusted text; returned `html` contains none
 * of its elements or attributes.
 */
export { stringify } from "./export/document.ts";
export { ansiHtml } from "./export/html/ansi.ts";
export { type PageBudget, pageBudget } from "./export/html/budget.ts";
export { computedDiff, type DiffLine, highlightedDiff, type RenderedDiff, recordedDiff } from "./export/html/diff.ts";
export { type ImageProblem, imageProblem, imageSize } from "./export/html/images.ts";
export { lineCount } from "./export/html/line-count.ts";
export {
  altOf,
  dataImage,
  fenceWord,
  isLinkable,
  MAX_ADDRESS_LENGTH,
  markTask,
  type ProseStyle,
  readMarkdown,
  type Token as MarkdownToken,
} from "./export/html/markdown-reader.ts";
export { type ToolArguments, toolArguments } from "./export/html/tool-arguments.ts";
export { visibleCode, visibleText } from "./export/visible-text.ts";
