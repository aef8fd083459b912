import markdownIt, { type MarkdownIt, type Token } from "markdown-it";
import { keepPlaceholders } from "./placeholder.ts";

export type { Token };

/** UTF-16 units parsed as Markdown; the worst case takes a second. Longer text is shown as plain text. */
const MAX_MARKDOWN = 512 * 1024;

/** Lists and quotes in each other. Where the parser stops going deeper, it drops what is there. */
const DEEPEST = 100;

/** Level of the heading that an entry may have; those in its text are below. */
const ENTRY_HEADING = 3;

/** Answers are Markdown as it is; in what people type, a line end is one. */
export type ProseStyle = "answer" | "typed";

const READERS = { answer: reader(false), typed: reader(true) };

function reader(breaks: boolean): MarkdownIt {
  const markdown = markdownIt({ html: false, linkify: true, typographer: false, breaks, maxNesting: DEEPEST });
  // `README.md` and `run.sh` are file names, not hosts in Moldova and Saint Helena.
  markdown.linkify.set({ fuzzyLink: false, fuzzyEmail: false });
  keepPlaceholders(markdown);
  // Whether an address becomes a link is for who writes it to decide: one that does not can still be shown.
  markdown.validateLink = () => true;
  return markdown;
}

/**
 * Reads somebody's Markdown as the tokens of markdown-it, none of them HTML, with the headings below that of an entry.
 * `long` or `deep` where it is too much to be read.
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

/** An outline skips no level: a heading is one below the nearest before it that was meant to be above it. */
function headingLevel(open: number[], meant: number): number {
  while ((open.at(-1) ?? 0) >= meant) open.pop();
  open.push(meant);
  return Math.min(ENTRY_HEADING + open.length, 6);
}

/** Writes tokens as HTML. */
export function writeTokens(tokens: Token[], style: ProseStyle): string {
  const { options, renderer } = READERS[style];
  return renderer.render(tokens, options);
}

/** The text that stands for an image. */
export function altOf(token: Token): string {
  return READERS.answer.renderer.renderInlineAsText(token.children ?? [], READERS.answer.options, {});
}

/** The first word behind a fence: the name of a language, most of the time. */
export function fenceWord(token: Token): string {
  return /^[^\s{,:]*/.exec(token.info.trim())?.[0] ?? "";
}

const TASK = /^\[([ xX])\](?=\s)/;

/** Makes the mark of a task at the beginning of a list's item one character; tells whether there is one. */
export function markTask(inline: Token | undefined): boolean {
  const text = inline?.type === "inline" ? inline.children?.[0] : undefined;
  const mark = text?.type === "text" ? TASK.exec(text.content)?.[1] : undefined;
  if (text === undefined || mark === undefined) return false;
  text.content = text.content.replace(TASK, mark === " " ? "☐" : "☑");
  return true;
}

/** Whether an address may be a link: paths of somebody's machine may not, nor what a browser should not be told. */
export function isLinkable(address: string): boolean {
  return /^(?:https?:\/\/|mailto:)/i.test(address);
}

/** Characters of an address that are shown where it is not linked. */
export const MAX_ADDRESS_LENGTH = 300;

const DATA_IMAGE = /^data:(image\/[a-z+.-]+);base64,/i;

/** An image whose data are in its address; `null` for one from elsewhere. */
export function dataImage(address: string): { mimeType: string; base64: string } | null {
  const data = DATA_IMAGE.exec(address);
  return data === null ? null : { mimeType: data[1]?.toLowerCase() ?? "", base64: address.slice(data[0].length) };
}
