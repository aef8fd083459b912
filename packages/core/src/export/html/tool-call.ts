import { isJsonObject, type JsonValue } from "../../json.ts";
import { oneLine } from "../../session/text.ts";
import type {
  ContextEdit,
  NestedCall,
  NestedCalls,
  ToolResultItem,
  TranscriptBlock,
} from "../../session/transcript.ts";
import { numbersOf, subagentAnchor } from "../subagents.ts";
import { editText, NESTED_RESULT, nestedCallsText, omittedArgumentsText, outcomeText } from "../wording.ts";
import { anchorOf } from "./anchor.ts";
import { bookmark } from "./bookmark.ts";
import type { PageBudget } from "./budget.ts";
import { codeBlock } from "./code.ts";
import { codeHtml } from "./code-html.ts";
import { contextEditHtml } from "./context-edit.ts";
import { dataDetails, dataHtml } from "./data.ts";
import { computedDiff, type RenderedDiff, recordedDiff } from "./diff.ts";
import { languageOfPath } from "./languages.ts";
import { lineCount } from "./line-count.ts";
import { lineHtml } from "./line-html.ts";
import type { PageContext } from "./page-context.ts";
import { type ToolArguments, toolArguments } from "./tool-arguments.ts";
import { outputHtml, resultBlocks } from "./tool-output.ts";
import { usageHtml } from "./usage.ts";

type ToolCall = Extract<TranscriptBlock, { kind: "tool_call" }>;

/** Maximum characters of the name and the main argument in the summary line; the full argument is shown below. */
const MAX_NAME_LENGTH = 80;
const MAX_ARGUMENT_LENGTH = 200;

/** Arguments up to this length are shown beside their names. */
const MAX_SHORT_LENGTH = 200;

/** Tools whose results are file contents; other tools with a path return messages about it. */
const READING = /read|view|cat|open/i;

/** Renders a call as collapsed details with its arguments and results. */
export function callHtml(call: ToolCall, results: ToolResultItem[], page: PageContext): string {
  const values = toolArguments(call.arguments);
  const diffs = results.map(({ diff }) => (diff === null ? null : recordedDiff(diff)));
  const edits = diffs.some((diff) => diff !== null) ? [] : editDiffs(values, page.budget);
  const language = readLanguage(call.name, values);
  const body = [
    ...argumentBlocks(values, page.budget),
    ...edits.map(({ html }) => html),
    ...results.map((result, at) => resultHtml(result, diffs[at] ?? null, language, page)),
  ];
  const shown = [...edits, ...diffs].filter((diff) => diff !== null);
  return details(call.name, mainArgument(values), statusHtml(results, shown, values.content), body);
}

/** Renders a result whose call is elsewhere. */
export function loneResultHtml(result: ToolResultItem, page: PageContext): string {
  const diff = result.diff === null ? null : recordedDiff(result.diff);
  const body = [resultBody(result, diff, null, page)];
  return details(
    result.tool_name ?? "unknown tool",
    "result",
    statusHtml([result], diff === null ? [] : [diff], null),
    body,
  );
}

/** Details with the tool's name, main argument and status as summary. */
export function details(name: string, argument: string | null, status: string, body: string[]): string {
  const about =
    argument === null ? "" : ` <code class="call-argument">${lineHtml(argument, MAX_ARGUMENT_LENGTH)}</code>`;
  const summary = `<code class="call-name">${lineHtml(name, MAX_NAME_LENGTH) || "unnamed tool"}</code>${about}${status}`;
  const inner = body.join("") || '<p class="empty">Nothing recorded</p>';
  return `<details class="call" data-kind="tool"><summary>${summary}</summary><div class="call-body">${inner}</div></details>`;
}

function mainArgument({ path, lines, command, query }: ToolArguments): string | null {
  if (command !== null) return command;
  const place = path === null || lines === null ? path : `${path}:${lines}`;
  if (query === null || place === null) return query?.text ?? place;
  return `${query.text} in ${place}`;
}

function readLanguage(name: string, { path, command, query }: ToolArguments): string | null {
  return path !== null && command === null && query === null && READING.test(name) ? languageOfPath(path) : null;
}

function editDiffs({ edits, patch }: ToolArguments, budget: PageBudget): RenderedDiff[] {
  const diffs = edits.map(({ before, after }) => computedDiff(before, after, budget));
  return patch === null ? diffs : [...diffs, recordedDiff(patch)];
}

function argumentBlocks({ path, command, content, query, rest }: ToolArguments, budget: PageBudget): string[] {
  const blocks: string[] = [];
  if (command !== null) blocks.push(codeBlock(command, "bash", budget));
  if (path !== null && isCutInLine(path)) rest.unshift(["path", path]);
  if (query !== null && isCutInLine(query.text)) rest.unshift([query.name, query.text]);
  const short = rest.filter(([, value]) => isShort(value));
  if (short.length > 0) {
    const rows = short.map(([key, value]) => `<div><dt>${codeHtml(key)}</dt><dd>${codeHtml(String(value))}</dd></div>`);
    blocks.push(`<dl class="arguments">${rows.join("")}</dl>`);
  }
  for (const [key, value] of rest) {
    if (isShort(value)) continue;
    const shown = typeof value === "string" ? outputHtml(value, null, budget) : dataHtml(value, budget);
    blocks.push(`<p class="argument-name">${codeHtml(key)}</p>${shown}`);
  }
  if (content !== null) blocks.push(codeBlock(content, path === null ? null : languageOfPath(path), budget));
  return blocks;
}

function isCutInLine(text: string): boolean {
  return oneLine(text, MAX_ARGUMENT_LENGTH) !== text;
}

function isShort(value: JsonValue): boolean {
  if (typeof value === "string") return value.length <= MAX_SHORT_LENGTH && !value.includes("\n");
  return typeof value !== "object" || value === null;
}

function resultHtml(
  result: ToolResultItem,
  diff: RenderedDiff | null,
  language: string | null,
  page: PageContext,
): string {
  const shown = bookmark(result.id, page.labels) + resultBody(result, diff, result.is_error ? null : language, page);
  return `<div class="result${result.is_error ? " failed" : ""}" id="${anchorOf(result.id)}">${shown}</div>`;
}

function resultBody(
  result: ToolResultItem,
  diff: RenderedDiff | null,
  language: string | null,
  { budget, subagents }: PageContext,
): string {
  const parts = [diff?.html ?? "", resultBlocks(result.blocks, language, budget)];
  const details = furtherDetails(result);
  if (details !== null) parts.push(dataDetails("Recorded details", details, budget));
  if (result.nested_calls !== null) parts.push(nestedCallsHtml(result.nested_calls, budget));
  parts.push(contextEditHtml(result.context_edit, { budget }));
  for (const number of numbersOf(result.subagents, subagents)) {
    parts.push(`<p class="started"><a href="#${subagentAnchor(number)}">Subagent ${number}</a></p>`);
  }
  return parts.join("") || '<p class="empty">No output</p>';
}

/** Renders the nested calls of a tool. */
function nestedCallsHtml(nested: NestedCalls, budget: PageBudget): string {
  const calls = nested.calls.map((call) => nestedCallHtml(call, budget)).join("");
  return `<div class="nested"><p class="argument-name">${nestedCallsText(nested)}</p>${calls}</div>`;
}

function nestedCallHtml(call: NestedCall, budget: PageBudget): string {
  const values = toolArguments(call.arguments ?? {});
  const edits = editDiffs(values, budget);
  const body = [...argumentBlocks(values, budget), ...edits.map(({ html }) => html)];
  if (call.arguments === null) body.push(`<p class="omitted">${omittedArgumentsText(call)}</p>`);
  if (call.error !== null) body.push(outputHtml(call.error, null, budget));
  else if (call.status === "ok") body.push(`<p class="empty">${NESTED_RESULT}</p>`);
  const outcome = outcomeText(call);
  const failed = call.status === "error" ? " failed" : "";
  const status = outcome === "" ? "" : `<span class="call-status${failed}">${outcome}</span>`;
  return details(call.name, mainArgument(values), status, body);
}

/** Data recorded by a tool in addition to its text and displayed diff. */
function furtherDetails({ details, diff }: ToolResultItem): JsonValue {
  if (!isJsonObject(details) || diff === null) return details;
  const { diff: _diff, patch: _patch, firstChangedLine: _line, ...others } = details;
  return Object.keys(others).length === 0 ? null : others;
}

function statusHtml(results: ToolResultItem[], diffs: RenderedDiff[], written: string | null): string {
  const marks = results.map(({ usage, context_edit }) => usageHtml(usage) + editSign(context_edit)).join("");
  return outcomeHtml(results, diffs, written) + (marks === "" ? "" : `<span class="call-marks">${marks}</span>`);
}

/** Marks a call whose result is replaced for the model. */
function editSign(edit: ContextEdit | null): string {
  if (edit === null) return "";
  const sign = edit.replacement === null ? "hidden from the model" : "replaced for the model";
  return `<span class="edited" title="${editText(edit)}">${sign}</span>`;
}

/** `written` is the text that was written to a file: its lines say more than those of the answer. */
function outcomeHtml(results: ToolResultItem[], diffs: RenderedDiff[], written: string | null): string {
  if (results.some((result) => result.is_error)) return '<span class="call-status failed">failed</span>';
  if (diffs.length > 0) {
    const added = diffs.reduce((sum, diff) => sum + diff.added, 0);
    const removed = diffs.reduce((sum, diff) => sum + diff.removed, 0);
    return `<span class="call-status"><span class="added">+${added}</span> <span class="removed">−${removed}</span></span>`;
  }
  if (written !== null) return `<span class="call-status"><span class="added">+${lineCount(written)}</span></span>`;
  const texts = results.flatMap(({ blocks }) => blocks.map((block) => (block.kind === "text" ? block.text : "")));
  const lines = texts.reduce((sum, text) => sum + lineCount(text), 0);
  if (lines === 0) return "";
  return `<span class="call-status">${lines.toLocaleString("en")} ${lines === 1 ? "line" : "lines"}</span>`;
}
