import { cut } from "@sm/core";
import {
  altOf,
  dataImage,
  fenceWord,
  isLinkable,
  MAX_ADDRESS_LENGTH,
  type MarkdownToken,
  markTask,
  type ProseStyle,
  readMarkdown,
  visibleText,
} from "@sm/core/rendering";
import { createElement, Fragment, memo, type ReactNode, useMemo } from "react";
import { ScrollBox } from "../../design/scroll-box.tsx";
import { t } from "../../i18n/text.ts";
import { CodeBlock } from "./code-block.tsx";
import { Output } from "./output.tsx";
import { Picture } from "./picture.tsx";

/** Maximum UTF-16 units of a text rendered as Markdown at once: 30 ms. */
const LONGEST = 128 * 1024;

/** Renders Markdown of a session: no raw HTML, no external images. */
export const Prose = memo(function Prose({ text, style }: { text: string; style: ProseStyle }) {
  const content = useMemo(() => {
    const tokens = text.length > LONGEST ? "long" : readMarkdown(text, style);
    return typeof tokens === "string" ? null : elementsOf(tokens, style);
  }, [text, style]);
  if (text.trim() === "") return null;
  if (content !== null) {
    return (
      <div className="prose" dir="auto">
        {content}
      </div>
    );
  }
  return (
    <>
      <p className="quiet">{t("transcript.without_formatting", { count: text.length })}</p>
      <Output text={text} />
    </>
  );
});

/** An element that is open, with what it has so far. */
interface Open {
  children: ReactNode[];
  close(children: ReactNode[]): ReactNode;
}

/** Elements that markdown-it's block and inline rules open, all of them without what a text could say of them. */
const PLAIN = new Set([
  "p",
  "h4",
  "h5",
  "h6",
  "ul",
  "ol",
  "li",
  "blockquote",
  "thead",
  "tbody",
  "tr",
  "th",
  "td",
  "em",
  "strong",
  "s",
]);

/** Makes elements of tokens. What a text says becomes text nodes, links and pictures; never HTML. */
function elementsOf(tokens: readonly MarkdownToken[], style: ProseStyle, isInLink = false): ReactNode[] {
  const stack: Open[] = [{ children: [], close: () => null }];
  const put = (node: ReactNode) => stack.at(-1)?.children.push(node);
  const open = (close: Open["close"]) => stack.push({ children: [], close });
  let linkDepth = isInLink ? 1 : 0;

  for (const [at, token] of tokens.entries()) {
    if (token.nesting === -1) {
      if (token.type === "link_close") linkDepth--;
      const ended = stack.length > 1 ? stack.pop() : undefined;
      if (ended !== undefined) put(ended.close(ended.children));
    } else if (token.nesting === 1) {
      if (token.type === "link_open") {
        linkDepth++;
        open(linkOf(token, tokens[at + 1]));
      } else if (token.type === "table_open") {
        open((children) => (
          <ScrollBox key={at} as="div" className="table-scroll" label={t("transcript.table")}>
            <table>{children}</table>
          </ScrollBox>
        ));
      } else {
        const attributes = attributesOf(token, tokens[at + 2]);
        // Tight lists have no paragraphs.
        const tag = token.hidden || !PLAIN.has(token.tag) ? Fragment : token.tag;
        open((children) => createElement(tag, { key: at, ...(tag === Fragment ? {} : attributes) }, ...children));
      }
      // In JSX, marks of right-to-left scripts and what breaks words would be shown too.
    } else put(createElement(Fragment, { key: at }, leafOf(token, style, linkDepth > 0)));
  }
  return stack[0]?.children ?? [];
}

function leafOf(token: MarkdownToken, style: ProseStyle, isInLink: boolean): ReactNode {
  switch (token.type) {
    case "inline":
      return elementsOf(token.children ?? [], style, isInLink);
    case "text":
    case "text_special":
    case "html_inline":
    case "html_block":
      return visibleText(token.content);
    case "softbreak":
      return style === "typed" ? <br /> : "\n";
    case "hardbreak":
      return <br />;
    case "hr":
      return <hr />;
    case "code_inline":
      return <code>{token.content}</code>;
    case "fence":
    case "code_block":
      return <CodeBlock code={token.content.replace(/\n$/, "")} word={fenceWord(token)} />;
    case "image":
      return imageOf(token, isInLink);
    default:
      return visibleText(token.content);
  }
}

function attributesOf(token: MarkdownToken, inline: MarkdownToken | undefined): Record<string, unknown> {
  if (token.type === "ordered_list_open") {
    const start = Number(token.attrGet("start") ?? 1);
    return start === 1 ? {} : { start };
  }
  if (token.type === "list_item_open") return markTask(inline) ? { className: "task" } : {};
  if (token.type === "th_open" || token.type === "td_open") {
    const align = /^text-align:(left|center|right)$/.exec(String(token.attrGet("style") ?? ""))?.[1];
    return align === undefined ? {} : { className: `align-${align}` };
  }
  return {};
}

function linkOf(token: MarkdownToken, first: MarkdownToken | undefined): Open["close"] {
  const address = String(token.attrGet("href") ?? "");
  const key = `link-${address}`;
  if (isLinkable(address)) {
    return (children) => (
      <a key={key} href={address} target="_blank" rel="noopener noreferrer nofollow">
        {children}
      </a>
    );
  }
  // Local paths and dangerous schemes.
  const isOwnText = token.info === "auto" || first?.content === address;
  return (children) => (
    <Fragment key={key}>
      {children}
      {!isOwnText && <Address address={address} />}
    </Fragment>
  );
}

function Address({ address }: { address: string }) {
  const shown = address.length > MAX_ADDRESS_LENGTH ? `${cut(address, MAX_ADDRESS_LENGTH)}…` : address;
  return <span className="address"> ({shown})</span>;
}

/** Images from elsewhere would tell their server who reads this. */
function imageOf(token: MarkdownToken, isInLink: boolean): ReactNode {
  const address = String(token.attrGet("src") ?? "");
  const alt = altOf(token);
  const data = dataImage(address);
  if (data !== null) return <Picture mimeType={data.mimeType} base64={data.base64} alt={alt} />;
  const name = t("transcript.image_named", { name: alt || cut(address, MAX_ADDRESS_LENGTH) });
  if (isInLink) return name;
  return (
    <>
      {isLinkable(address) ? (
        <a href={address} target="_blank" rel="noopener noreferrer nofollow">
          {name}
        </a>
      ) : (
        name
      )}
      <Address address={address} />
    </>
  );
}
