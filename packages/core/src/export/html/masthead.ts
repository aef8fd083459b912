import { formatCosts } from "../../dollars.ts";
import type { Usage } from "../../session/record.ts";
import type { Transcript } from "../../session/transcript.ts";
import type { ExportSelection } from "../document.ts";
import { type IconName, icon } from "./icons.ts";
import { lineHtml } from "./line-html.ts";
import type { RunTree } from "./run-tree.ts";

const LISTED_MODELS = 10;
const SEPARATOR = ' <span class="dot">·</span> ';

/** Renders the sticky bar. Everything but the contents requires the script, and is hidden without it. */
export function bar({ name, title }: Transcript, selection: ExportSelection, tree: RunTree): string {
  const buttons = [
    '<button type="button" class="to-contents" popovertarget="contents">' +
      `${icon("contents")}<span>Contents</span></button>`,
    button("find", "Find", "/"),
    ...(selection.include_thinking ? [button("thinking", "Thinking", "t", false)] : []),
    ...(selection.include_tools ? [button("tools", "Tools", "o", false)] : []),
    button("theme", "Theme", "d"),
    '<button type="button" class="scripted" popovertarget="help" aria-keyshortcuts="?" title="Keyboard (?)">' +
      `${icon("help")}<span>Keys</span></button>`,
  ];
  return `<header class="bar">
<a class="bar-title" href="#top" tabindex="-1" aria-hidden="true">${lineHtml(name ?? title)}</a>
<div class="controls">${buttons.join("\n")}</div>
<div class="find" role="search" hidden>
<input type="search" aria-label="Find in this page" placeholder="Find in this page" autocomplete="off" spellcheck="false" enterkeyhint="search">
<output aria-live="polite"></output>
<button type="button" data-action="find-previous" aria-label="Previous match">${icon("up")}</button>
<button type="button" data-action="find-next" aria-label="Next match">${icon("down")}</button>
<button type="button" data-action="find-close" aria-label="Close">${icon("close")}</button>
</div>
${help(selection, tree)}</header>
`;
}

function button(action: IconName, label: string, key: string, pressed?: boolean): string {
  const state = pressed === undefined ? "" : ` aria-pressed="${pressed}"`;
  return `<button type="button" class="scripted" data-action="${action}" aria-keyshortcuts="${key}" title="${label} (${key})"${state}>${icon(action)}<span>${label}</span></button>`;
}

function help(selection: ExportSelection, tree: RunTree): string {
  const keys: [key: string, what: string, isOffered: boolean][] = [
    ["j k", "Next and previous prompt", true],
    ["/", "Find in this page", true],
    ["t", "Open or close all thinking", selection.include_thinking],
    ["o", "Open or close all tool calls", selection.include_tools],
    ["c", "Contents", true],
    ["b", "Branches", tree.runs.length > 1],
    ["d", "Light or dark", true],
    ["?", "This list", true],
  ];
  const rows = keys.map(([key, what, isOffered]) => {
    if (!isOffered) return "";
    const caps = key.split(" ").map((cap) => `<kbd>${cap}</kbd>`);
    return `<div><dt>${caps.join(" ")}</dt><dd>${what}</dd></div>`;
  });
  return `<div id="help" class="help" role="dialog" aria-label="Keyboard" popover>
<h2>Keyboard</h2>
<dl>${rows.join("")}</dl>
<label><input type="checkbox" data-action="keys" checked> Use single keys</label>
</div>
`;
}

/** Renders the title and the data known before the entries are read. */
export function masthead(transcript: Transcript): string {
  const { name, title } = transcript;
  const redacted =
    transcript.redactions === null
      ? ""
      : '<p class="redacted">Secrets and personal data were replaced before this page was created. <a href="#redactions">What was found</a></p>\n';
  return `<div class="masthead">
<h1><bdi>${lineHtml(name ?? title)}</bdi></h1>
${factList(transcript)}${redacted}</div>
<h2 class="unseen">Conversation</h2>
`;
}

/** The data of a session that are known before its entries are read. */
export function factList(transcript: Transcript): string {
  const { cwd, models, created_at, modified_at, session_id } = transcript;
  const facts: [string, string][] = [];
  if (cwd !== null) facts.push(["Working directory", `<code>${lineHtml(cwd)}</code>`]);
  if (models.length > 0) facts.push([models.length === 1 ? "Model" : "Models", modelList(models)]);
  facts.push(["Created", moment(created_at)], ["Last activity", moment(modified_at)]);
  const counts = [
    counted(transcript.message_count, "message"),
    counted(transcript.user_message_count, "prompt"),
    counted(transcript.tool_call_count, "tool call"),
  ];
  facts.push(["Conversation", counts.join(SEPARATOR)]);
  facts.push(...usageFacts(transcript.usage));
  facts.push(["Session ID", `<code>${lineHtml(session_id)}</code>`]);
  const rows = facts.map(([label, value]) => `<div><dt>${label}</dt><dd>${value}</dd></div>`);
  return `<dl class="facts">${rows.join("\n")}</dl>\n`;
}

function modelList(models: readonly string[]): string {
  const listed = models.slice(0, LISTED_MODELS).map((model) => `<code>${lineHtml(model)}</code>`);
  if (models.length > LISTED_MODELS) listed.push(`${count(models.length - LISTED_MODELS)} more`);
  return listed.join(", ");
}

function usageFacts(usage: Usage): [string, string][] {
  const facts: [string, string][] = [];
  if (usage.total_tokens > 0) {
    const kinds: [number, string][] = [
      [usage.input_tokens, "input"],
      [usage.output_tokens, "output"],
      [usage.cache_read_tokens, "cache read"],
      [usage.cache_write_tokens, "cache write"],
    ];
    const parts = kinds.flatMap(([tokens, kind]) => (tokens > 0 ? [`${count(tokens)} ${kind}`] : []));
    const details = parts.length === 0 ? "" : ` (${parts.join(SEPARATOR)})`;
    facts.push(["Tokens", count(usage.total_tokens) + details]);
  }
  const costs = formatCosts(usage);
  if (costs !== null) facts.push(["Cost", costs]);
  return facts;
}

function counted(value: number, what: string): string {
  return `${count(value)} ${what}${value === 1 ? "" : "s"}`;
}

function count(value: number): string {
  return value.toLocaleString("en");
}

/** Created on demand: takes five milliseconds of every start that loads this. */
let momentFormat: Intl.DateTimeFormat | null = null;

/** In UTC, so that the page does not depend on the time zone of writer or reader. */
function moment(timestamp: string): string {
  const time = new Date(timestamp);
  if (Number.isNaN(time.getTime())) return lineHtml(timestamp);
  momentFormat ??= new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" });
  return `<time datetime="${time.toISOString()}">${momentFormat.format(time)} UTC</time>`;
}
