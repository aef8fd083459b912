import type { MarkdownIt } from "markdown-it";

/** A redaction placeholder: redact/placeholders.ts. */
const PLACEHOLDER = /\[redacted:[a-z0-9-]+\]/y;

/** Treats placeholders as words: before `(` one would become a link, before `:` a definition, which is not rendered. */
export function keepPlaceholders(markdown: MarkdownIt): void {
  const endOf = (text: string, at: number): number | null => {
    PLACEHOLDER.lastIndex = at;
    return PLACEHOLDER.test(text) ? PLACEHOLDER.lastIndex : null;
  };
  markdown.inline.ruler.before("link", "placeholder", (state, silent) => {
    const end = endOf(state.src, state.pos);
    if (end === null) return false;
    if (!silent) state.pending += state.src.slice(state.pos, end);
    state.pos = end;
    return true;
  });
  markdown.block.ruler.before("reference", "placeholder", (state, startLine, endLine, silent) => {
    const start = (state.bMarks[startLine] ?? 0) + (state.tShift[startLine] ?? 0);
    if (silent || endOf(state.src, start) === null) return false;
    // The last rule turns remaining text into a paragraph.
    return markdown.block.ruler.getRules("").at(-1)?.(state, startLine, endLine, silent) ?? false;
  });
}
