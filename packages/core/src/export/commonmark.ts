import { oneLine } from "../session/text.ts";
import { visibleCode, visibleText } from "./visible-text.ts";

/** Writes a text into a fenced code block, with a fence longer than any in the text. */
export function fence(text: string, info = ""): string {
  let length = 3;
  for (const [run] of text.matchAll(/`{3,}/g)) length = Math.max(length, run.length + 1);
  const marker = "`".repeat(length);
  return `${marker}${info}\n${text}\n${marker}`;
}

/** Writes Markdown, with LF line ends, as a block quote. */
export function blockQuote(markdown: string): string {
  return markdown
    .split("\n")
    .map((line) => (line === "" ? ">" : `> ${line}`))
    .join("\n");
}

/** Maximum characters of a name or path in one line. */
const INLINE_LIMIT = 1_000;

const ACTIVE_IN_LINE =
  /\\(?=[!-/:-@[-`{-~]|$)|[`*[]|<(?=[A-Za-z/!?])|&(?=#?\w+;)|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|(?<!\S)#(?=#*$)/gu;

/**
 * Writes plain text (a name, a path) as one line of Markdown that renders as that text, also at the end of a heading,
 * with visible symbols for invisible characters. Escapes only what would be interpreted as Markdown.
 */
export function plainLine(text: string): string {
  return visibleCode(oneLine(text, INLINE_LIMIT)).replace(ACTIVE_IN_LINE, "\\$&");
}

/**
 * Sanitizes Markdown of a session for embedding: lowers its headings below those of the document (to level 4 and
 * deeper), closes code blocks, shows HTML as text, and turns images into links, because loading them would contact
 * foreign servers. Links other than web and mail addresses become text, and bidirectional marks become symbols. Line
 * ends become LF.
 *
 * Code must be recognized like in every CommonMark reader, whatever lists and quotes are around it. Therefore fences
 * are rewritten, those on the line of a list or quote mark become text, and a code span ends on the line where it
 * starts; in a possible GFM table, also in the cell.
 */
export function prose(markdown: string): string {
  const lines = visibleText(markdown).split(/\r\n?|\n/);
  const hasTable = lines.some((line) => TABLE_RULE.test(line));
  const written: string[] = [];
  let inParagraph = false;
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? "";
    const opening = openingFence(line);
    if (opening !== null) {
      const first = at + 1;
      at = first;
      while (at < lines.length && !closesFence(lines[at] ?? "", opening)) at++;
      written.push(rewrittenFence(lines.slice(first, at), opening));
      inParagraph = false;
      continue;
    }
    if (inParagraph && RULE.test(line)) written.push("");
    written.push(sealed(inParagraph ? line.replace(UNDERLINE, "$1\\$2") : line, hasTable));
    inParagraph = !isBlank(line);
  }
  const start = written.findIndex((line) => !isBlank(line));
  return start === -1 ? "" : written.slice(start, written.findLastIndex((line) => !isBlank(line)) + 1).join("\n");
}

function isBlank(line: string): boolean {
  return /^[ \t]*$/.test(line);
}

interface OpeningFence {
  indent: number;
  marker: string;
  info: string;
}

function openingFence(line: string): OpeningFence | null {
  const match = /^([ \t]*)(?:(`{3,})([^`]*)|(~{3,})(.*))$/s.exec(line);
  if (match === null) return null;
  const [, indent = "", backticks, info, tildes = "", tildeInfo = ""] = match;
  // Uses backticks, after which, unlike after tildes, no backtick may follow.
  return { indent: indent.length, marker: backticks ?? tildes, info: (info ?? tildeInfo.replaceAll("`", "")).trim() };
}

function closesFence(line: string, opening: OpeningFence): boolean {
  const [, indent = "", marker = ""] = /^([ \t]*)(`{3,}|~{3,})[ \t]*$/.exec(line) ?? [];
  return marker.startsWith(opening.marker) && indent.length < opening.indent + 4;
}

/** Up to three spaces before a fence keep it in its list; four could make it paragraph text. */
function rewrittenFence(lines: string[], { indent, info }: OpeningFence): string {
  const text = lines.map((line) => line.slice(Math.min(indent, line.search(/[^ \t]|$/)))).join("\n");
  const margin = " ".repeat(Math.min(indent, 3));
  return fence(text, info)
    .split("\n")
    .map((line) => (line === "" ? "" : margin + line))
    .join("\n");
}

const RULE = /^ {0,3}-{3,}[ \t]*$/;

/** Underline of a setext heading. Three or more hyphens are kept as a thematic break. */
const UNDERLINE = /^( {0,3})(=+[ \t]*|--?[ \t]*)$/;

const HEADING = /^( {0,3})(#{1,6})(?=[ \t]|$)/;

/** Delimiter row of a table: https://github.github.com/gfm/#delimiter-row. */
const TABLE_RULE = /^(?=.*-)(?=.*\|)[ \t>|:-]*$/;

/** Like `isLinkable` for pages, but in the source, without entities and escapes. */
const LINKABLE = String.raw`[ \t]*<?(?:https?:\/\/|mailto:)`;

const ACTIVE_IN_PROSE = new RegExp(
  [
    /<https?:\/\/[^\s<>`\\|]*>/,
    /\\[!-/:-@[-`{-~]/,
    /`+/,
    /~{3,}/,
    /<(?=[A-Za-z/!?])/,
    /\[(?=redacted:)/,
    /!(?=\[)/,
    // A link target, or a definition, which is not rendered.
    new RegExp(`\\][(:](?!${LINKABLE})`),
    /&#(?:x[\da-f]{1,6}|\d{1,7});/,
  ]
    .map(({ source }) => source)
    .join("|"),
  "gi",
);

/**
 * Lowers a heading. Escapes, outside of code spans: HTML, links to disallowed targets, fences, backticks without a
 * partner on the same line; and placeholders of a redaction, which before `(` would become a link, and before `:` a
 * definition.
 */
function sealed(source: string, mayBeInTable: boolean): string {
  const line = source.replace(HEADING, (_, indent: string, marks: string) => {
    return indent + "#".repeat(Math.min(6, marks.length + 3));
  });
  const runs = backtickRuns(line);
  const active = new RegExp(ACTIVE_IN_PROSE);
  let text = "";
  let at = 0;
  for (let match = active.exec(line); match !== null; match = active.exec(line)) {
    const [token] = match;
    text += line.slice(at, match.index);
    at = active.lastIndex;
    const partner = token.startsWith("`") ? runs.next(token.length, at) : undefined;
    if (partner !== undefined && !(mayBeInTable && hasBarePipe(line.slice(at, partner)))) {
      active.lastIndex = partner + token.length;
      text += token + line.slice(at, active.lastIndex);
      at = active.lastIndex;
    } else if (token.startsWith("]")) {
      text += `]\\${token.slice(1)}`;
    } else if (token.startsWith("&")) {
      text += isMisleading(token) ? `\\${token}` : token;
    } else if (/^[`~![]|^<$/.test(token)) {
      text += token.replace(/./g, "\\$&");
    } else {
      text += token;
    }
  }
  return text + line.slice(at);
}

/** In a table, a pipe ends the cell and the code span, unless after a single backslash. */
function hasBarePipe(code: string): boolean {
  return code.replace(/(?<!\\)\\\|/g, "").includes("|");
}

/**
 * Whether a numeric character reference (https://spec.commonmark.org/0.31.2/#entity-and-numeric-character-references)
 * stands for a character shown as a symbol.
 */
function isMisleading(reference: string): boolean {
  const point = Number(`0${reference.slice(2, -1)}`.replace(/^0(?=\d)/, ""));
  const character = point > 0 && point <= 0x10ffff ? String.fromCodePoint(point) : "";
  return visibleText(character) !== character;
}

/** Finds runs of backticks by length; positions must be requested in ascending order. */
function backtickRuns(line: string): { next(length: number, from: number): number | undefined } {
  const startsByLength = new Map<number, number[]>();
  for (const { 0: run, index } of [...line.matchAll(/`+/g)].reverse()) {
    const starts = startsByLength.get(run.length);
    if (starts === undefined) startsByLength.set(run.length, [index]);
    else starts.push(index);
  }
  return {
    next(length, from) {
      const starts = startsByLength.get(length) ?? [];
      let start = starts.pop();
      while (start !== undefined && start < from) start = starts.pop();
      return start;
    },
  };
}
