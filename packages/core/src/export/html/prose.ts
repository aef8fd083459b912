import { cut } from "../../session/text.ts";
import { visibleText } from "../visible-text.ts";
import type { PageBudget } from "./budget.ts";
import { codeBlock } from "./code.ts";
import { codeHtml } from "./code-html.ts";
import { escapeHtml } from "./escape.ts";
import { imageHtml } from "./images.ts";
import { languageNamed } from "./languages.ts";
import {
  altOf,
  dataImage,
  fenceWord,
  isLinkable,
  MAX_ADDRESS_LENGTH,
  markTask,
  type ProseStyle,
  readMarkdown,
  type Token,
  writeTokens,
} from "./markdown-reader.ts";

/** Renders Markdown of a session: no raw HTML, no external images, headings below that of the entry. */
export function proseHtml(markdown: string, style: ProseStyle, budget: PageBudget): string {
  if (markdown.trim() === "") return "";
  const tokens = readMarkdown(markdown, style);
  if (tokens === "long") return plainProse(markdown, "Long text");
  if (tokens === "deep") return plainProse(markdown, "Deeply nested text");
  shape(tokens, budget);
  // Applied to the output, because entities such as `&#x202e;` are decoded only here.
  return `<div class="prose" dir="auto">${visibleText(writeTokens(tokens, style))}</div>`;
}

function plainProse(text: string, what: string): string {
  const length = text.length.toLocaleString("en");
  const summary = `<summary>${what} (${length} characters), shown without formatting</summary>`;
  return `<details class="plain">${summary}<div class="code"><pre tabindex="0"><samp>${escapeHtml(visibleText(text))}</samp></pre></div></details>`;
}

/** Adapts the tokens for the page. */
function shape(tokens: Token[], budget: PageBudget): void {
  for (const [at, token] of tokens.entries()) {
    switch (token.type) {
      case "fence":
      case "code_block":
        replace(
          token,
          "html_block",
          codeBlock(token.content.replace(/\n$/, ""), languageNamed(fenceWord(token)), budget),
        );
        break;
      case "table_open":
        replace(token, "html_block", '<div class="table-scroll" role="group" aria-label="Table" tabindex="0"><table>');
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
        if (markTask(tokens[at + 2])) token.attrJoin("class", "task");
        break;
      case "inline":
        shapeInline(token.children ?? []);
    }
  }
}

function shapeInline(tokens: Token[]): void {
  // Links cannot be nested; an image link within a link becomes text.
  let link: { closing: string; isLive: boolean } | null = null;
  for (const [at, token] of tokens.entries()) {
    if (token.type === "link_open") {
      const address = String(token.attrGet("href") ?? "");
      const isLive = isLinkable(address);
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

/** Shows the address of a disallowed link. */
function addressHtml(address: string): string {
  const shown = address.length > MAX_ADDRESS_LENGTH ? `${cut(address, MAX_ADDRESS_LENGTH)}…` : address;
  return ` <span class="address">(${codeHtml(shown)})</span>`;
}

/** External images would reveal the reader to their server, and may disappear. */
function image(address: string, alt: string, isInLink: boolean): string {
  const data = dataImage(address);
  if (data !== null) return imageHtml(data.mimeType, data.base64, alt || "Image");
  const name = `Image: ${escapeHtml(alt === "" ? cut(address, MAX_ADDRESS_LENGTH) : alt)}`;
  if (isInLink) return `<span class="remote-image">${name}</span>`;
  if (!isLinkable(address)) return `<span class="no-link">${name}</span>${addressHtml(address)}`;
  return `<a class="remote-image" href="${escapeHtml(address)}" rel="noopener noreferrer nofollow">${name}</a>${addressHtml(address)}`;
}

/** HTML tokens are written unescaped; texts cannot create them, because `html` is off. */
function replace(token: Token, type: "html_block" | "html_inline", html: string): void {
  token.type = type;
  token.content = html;
}
