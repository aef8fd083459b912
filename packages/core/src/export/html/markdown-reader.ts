import markdownIt, { type MarkdownIt, type Token } from "markdown-it";
import { keepPlaceholders } from "./placeholder.ts";

export type { Token };

/** Maximum length parsed as Markdown; the worst case takes a second. Longer text is shown as plain text. */
const MAX_MARKDOWN = 512 * 1024;

/** Maximum nesting of lists and quotes. The parser drops deeper content. */
const DEEPEST = 100;

/** Level of an entry's heading; headings in its text are lowered below it. */
const ENTRY_HEADING = 3;

/** Answers are standard Markdown; in typed text, line breaks are kept. */
export type ProseStyle = "answer" | "typed";

const READERS = { answer: reader(false), typed: reader(true) };

function reader(breaks: boolean): MarkdownIt {
  const markdown = markdownIt({ html: false, linkify: true, typographer: false, breaks, maxNesting: DEEPEST });
  // `README.md` and `run.sh` are file names, not hosts in Moldova and Saint Helena.
  markdown.linkify.set({ fuzzyLink: false, fuzzyEmail: false });
  keepPlaceholders(markdown);
  // The renderer decides about links, because rejected ones are still shown as text.
  markdown.validateLink = () => true;
  return markdown;
}

/**
 * Parses Markdown into markdown-it tokens without HTML, with headings below that of an entry. `long` or `deep` if it
 * exceeds a limit.
 */
export function readMarkdown(markdown: string, style: ProseStyle): Token[] | "long" | "deep" {
  if (markdown.length > MAX_MARKDOWN) return "long";
  const tokens = READERS[style].parse(markdown, {});
  if (tokens.some(({ level }) => level >= DEEPEST - 1)) return "deep";
  const headings: number[] = [];
  for (const token of tokens) {
    if (token.type !== "heading_open" && token.type !== "heading_close") continue;
    token.tag = `h${headingLevel(headings, Number(token.tag.slice(1)))}`;
  }
  return tokens;
}

/** Heading levels are not skipped: a heading is one level below its nearest parent. */
function headingLevel(open: number[], meant: number): number {
  while ((open.at(-1) ?? 0) >= meant) open.pop();
  open.push(meant);
  return Math.min(ENTRY_HEADING + open.length, 6);
}

/** Renders tokens as HTML. */
export function writeTokens(tokens: Token[], style: ProseStyle): string {
  const { options, renderer } = READERS[style];
  return renderer.render(tokens, options);
}

/** Alternative text of an image. */
export function altOf(token: Token): string {
  return READERS.answer.renderer.renderInlineAsText(token.children ?? [], READERS.answer.options, {});
}

/** The first word after a fence, usually a language. */
export function fenceWord(token: Token): string {
  return /^[^\s{,:]*/.exec(token.info.trim())?.[0] ?? "";
}

const TASK = /^\[([ xX])\](?=\s)/;

/** Replaces a task marker at the start of a list item by a symbol; returns whether there is one. */
export function markTask(inline: Token | undefined): boolean {
  const text = inline?.type === "inline" ? inline.children?.[0] : undefined;
  const mark = text?.type === "text" ? TASK.exec(text.content)?.[1] : undefined;
  if (text === undefined || mark === undefined) return false;
  text.content = text.content.replace(TASK, mark === " " ? "☐" : "☑");
  return true;
}

/** Whether an address may become a link: no local paths and no dangerous schemes. */
export function isLinkable(address: string): boolean {
  return /^(?:https?:\/\/|mailto:)/i.test(address);
}

/** Characters shown of an address that is not linked. */
export const MAX_ADDRESS_LENGTH = 300;

const DATA_IMAGE = /^data:(image\/[a-z+.-]+);base64,/i;

/** The data of an inline image; `null` for an external one. */
export function dataImage(address: string): { mimeType: string; base64: string } | null {
  const data = DATA_IMAGE.exec(address);
  return data === null ? null : { mimeType: data[1]?.toLowerCase() ?? "", base64: address.slice(data[0].length) };
}
