import markdownIt, { type MarkdownIt, type Token } from "markdown-it";
import { cut } from "../../session/text.ts";
import type { PageBudget } from "./budget.ts";
import { codeBlock } from "./code.ts";
import { escapeHtml } from "./escape.ts";
import { imageHtml } from "./images.ts";
import { languageNamed } from "./languages.ts";
import { keepPlaceholders } from "./placeholder.ts";
import { codeHtml, visibleText } from "./visible.ts";

/** UTF-16 units that are read as Markdown: a second for the worst of texts. What is longer is no prose. */
const MOST_MARKDOWN = 512 * 1024;

/** Lists and quotes in each other. Where the parser stops going deeper, it drops what is there. */
const DEEPEST = 100;

/** Level of the heading that an entry may have; those in its text are below. */
const ENTRY_HEADING = 3;

/** Characters of an address that is not linked. */
const LONGEST_ADDRESS = 300;

/** Answers are Markdown as it is; in what people type, a line end is one. */
export type ProseStyle = "answer" | "typed";

const READERS = { answer: reader(false), typed: reader(true) };

function reader(breaks: boolean): MarkdownIt {
  const markdown = markdownIt({ html: false, linkify: true, typographer: false, breaks, maxNesting: DEEPEST });
  // `README.md` and `run.sh` are no hosts in Moldova and Saint Helena.
  markdown.linkify.set({ fuzzyLink: false, fuzzyEmail: false });
  keepPlaceholders(markdown);
  // Whether an address becomes a link is decided below, where one that does not can still be shown.
  markdown.validateLink = () => true;
  return markdown;
}

/** Renders somebody's Markdown: no HTML of theirs, no image from elsewhere, headings below that of the entry. */
export function proseHtml(markdown: string, style: ProseStyle, budget: PageBudget): string {
  if (markdown.trim() === "") return "";
  if (markdown.length > MOST_MARKDOWN) return plainProse(markdown, "long text");
  const { options, renderer } = READERS[style];
  const tokens = READERS[style].parse(markdown, {});
  if (tokens.some(({ level }) => level >= DEEPEST - 1)) return plainProse(markdown, "deeply nested text");
  shape(tokens, budget);
  // Not the source: an entity such as `&#x202e;` is a character only now.
  return `<div class="prose" dir="auto">${visibleText(renderer.render(tokens, options))}</div>`;
}

function plainProse(text: string, what: string): string {
  const length = text.length.toLocaleString("en");
  const summary = `<summary>A ${what} of ${length} characters, shown without formatting</summary>`;
  return `<details class="plain">${summary}<div class="code"><pre tabindex="0"><samp>${escapeHtml(visibleText(text))}</samp></pre></div></details>`;
}

/** Changes the tokens of a document into those of a part of the page. */
function shape(tokens: Token[], budget: PageBudget): void {
  const headings: number[] = [];
  for (const [at, token] of tokens.entries()) {
    switch (token.type) {
      case "heading_open":
      case "heading_close":
        token.tag = `h${headingLevel(headings, Number(token.tag.slice(1)))}`;
        break;
      case "fence":
      case "code_block":
        replace(token, "html_block", codeBlock(token.content.replace(/\n$/, ""), languageOf(token), budget));
        break;
      case "table_open":
        replace(token, "html_block", '<div class="table" role="group" aria-label="Table" tabindex="0"><table>');
        break;
      case "table_close":
        replace(token, "html_block", "</table></div>");
        break;
      case "th_open":
      case "td_open":
        token.attrs =
          token.attrs?.map(([, style]) => ["class", String(style).replace("text-align:", "align-")]) ?? null;
        break;
      case "list_item_open":
        shapeTask(token, tokens[at + 2]);
        break;
      case "inline":
        shapeInline(token.children ?? []);
    }
  }
}

/** An outline skips no level: a heading is one below the nearest before it that was meant to be above it. */
function headingLevel(open: number[], meant: number): number {
  while ((open.at(-1) ?? 0) >= meant) open.pop();
  open.push(meant);
  return Math.min(ENTRY_HEADING + open.length, 6);
}

function languageOf(token: Token): string | null {
  return languageNamed(/^[^\s{,:]*/.exec(token.info.trim())?.[0] ?? "");
}

const TASK = /^\[([ xX])\](?=\s)/;

function shapeTask(item: Token, inline: Token | undefined): void {
  const text = inline?.type === "inline" ? inline.children?.[0] : undefined;
  const mark = text?.type === "text" ? TASK.exec(text.content)?.[1] : undefined;
  if (text === undefined || mark === undefined) return;
  item.attrJoin("class", "task");
  text.content = text.content.replace(TASK, mark === " " ? "☐" : "☑");
}

function shapeInline(tokens: Token[]): void {
  // Links are not nested in each other; an image that would be one is a text inside of one.
  let link: { closing: string; isLive: boolean } | null = null;
  for (const [at, token] of tokens.entries()) {
    if (token.type === "link_open") {
      const address = String(token.attrGet("href") ?? "");
      const isLive = isSafe(address);
      const isOwnText = token.info === "auto" || tokens[at + 1]?.content === address;
      if (isLive) token.attrSet("rel", "noopener noreferrer nofollow");
      else replace(token, "html_inline", '<span class="no-link">');
      link = { isLive, closing: `</span>${isOwnText ? "" : addressHtml(address)}` };
    } else if (token.type === "link_close") {
      if (link !== null && !link.isLive) replace(token, "html_inline", link.closing);
      link = null;
    } else if (token.type === "image") {
      replace(token, "html_inline", image(String(token.attrGet("src") ?? ""), altOf(token), link?.isLive === true));
    } else if (token.type === "code_inline") {
      replace(token, "html_inline", `<code>${codeHtml(token.content)}</code>`);
    }
  }
}

function isSafe(address: string): boolean {
  return /^(?:https?:\/\/|mailto:)/i.test(address);
}

/** Where a link would have gone that is none here: paths of somebody's machine, and what a browser should not be told. */
function addressHtml(address: string): string {
  const shown = address.length > LONGEST_ADDRESS ? `${cut(address, LONGEST_ADDRESS)}…` : address;
  return ` <span class="address">(${codeHtml(shown)})</span>`;
}

function altOf(token: Token): string {
  return READERS.answer.renderer.renderInlineAsText(token.children ?? [], READERS.answer.options, {});
}

const DATA_IMAGE = /^data:(image\/[a-z+.-]+);base64,/i;

/** Images from elsewhere would tell their server who reads this, and be gone one day. */
function image(address: string, alt: string, isInLink: boolean): string {
  const data = DATA_IMAGE.exec(address);
  if (data !== null) return imageHtml(data[1]?.toLowerCase() ?? "", address.slice(data[0].length), alt || "Image");
  const name = `Image: ${escapeHtml(alt === "" ? cut(address, LONGEST_ADDRESS) : alt)}`;
  if (isInLink) return `<span class="remote-image">${name}</span>`;
  if (!isSafe(address)) return `<span class="no-link">${name}</span>${addressHtml(address)}`;
  return `<a class="remote-image" href="${escapeHtml(address)}" rel="noopener noreferrer nofollow">${name}</a>${addressHtml(address)}`;
}

/** The content of HTML tokens is written as it is, and no text can make one: `html` is off. */
function replace(token: Token, type: "html_block" | "html_inline", html: string): void {
  token.type = type;
  token.content = html;
}
