import { isJsonObject, type JsonValue, oneLine, type ToolResultItem, type TranscriptBlock } from "@sm/core";
import { type ToolArguments, toolArguments, visibleCode } from "@sm/core/rendering";
import { type ReactNode, useMemo } from "react";
import { t } from "../../i18n/text.ts";
import { CodeBlock } from "../content/code-block.tsx";
import { DiffView, Output } from "../content/output.tsx";
import { Picture } from "../content/picture.tsx";
import { type Diff, lineCount, renderedChange, renderedDiff } from "../content/rendered.ts";
import { Bookmark } from "./bookmark.tsx";
import { DataBlock } from "./data-block.tsx";
import { Disclosure } from "./disclosure.tsx";
import { useEntryContext } from "./entry-context.ts";
import { ToolIcon } from "./tool-icon.tsx";

export type ToolCall = Extract<TranscriptBlock, { kind: "tool_call" }>;

/** Characters of a name and of the main argument that the line of a call has; the argument is whole below it. */
const LONGEST_NAME = 80;
const LONGEST_ARGUMENT = 200;

/** Arguments up to this length stand beside their names. */
const LONGEST_SHORT = 200;

/** Tools whose results are files: other tools with a path return something about it. */
const READING = /read|view|cat|open/i;

interface ToolCallProps {
  /** Of the part, for what opens. */
  id: string;
  call: ToolCall;
  results: readonly ToolResultItem[];
}

/** Shows a call as one line that opens: what it was called with, and its results. */
export function ToolCallView({ id, call, results }: ToolCallProps) {
  const values = useMemo(() => toolArguments(call.arguments), [call]);
  const recorded = useMemo(() => results.map(({ diff }) => (diff === null ? null : renderedDiff(diff))), [results]);
  const edits = useMemo(() => (recorded.some((diff) => diff !== null) ? [] : editDiffs(values)), [values, recorded]);
  const diffs = [...edits, ...recorded].filter((diff) => diff !== null);
  const path = readPath(call.name, values);
  return (
    <ToolLine
      id={id}
      name={call.name}
      argument={mainArgument(values)}
      status={<Status results={results} diffs={diffs} />}
    >
      {() => (
        <>
          <Arguments values={values} />
          {edits.map((diff, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: they never change
            <DiffView key={at} diff={diff} />
          ))}
          {results.map((result, at) => (
            <Result key={result.id} result={result} diff={recorded[at] ?? null} path={path} />
          ))}
          {results.length === 0 && <p className="quiet">{t("transcript.no_result")}</p>}
        </>
      )}
    </ToolLine>
  );
}

/** Shows a result whose call stands elsewhere. */
export function LoneResult({ result }: { result: ToolResultItem }) {
  const diff = useMemo(() => (result.diff === null ? null : renderedDiff(result.diff)), [result]);
  return (
    <ToolLine
      id={result.id}
      name={result.tool_name ?? t("transcript.unknown_tool")}
      argument={t("transcript.result")}
      status={<Status results={[result]} diffs={diff === null ? [] : [diff]} />}
    >
      {() => <Result result={result} diff={diff} path={null} />}
    </ToolLine>
  );
}

interface ToolLineProps {
  id: string;
  name: string;
  argument: string | null;
  status: ReactNode;
  children: () => ReactNode;
}

/** A line with the name of a tool, what it is about and how it went, over what belongs to it. */
export function ToolLine({ id, name, argument, status, children }: ToolLineProps) {
  return (
    <Disclosure
      kind="tools"
      id={id}
      className="call"
      summary={
        <>
          <ToolIcon name={name} />
          <span className="call-name">{lineOf(name, LONGEST_NAME) || t("transcript.unknown_tool")}</span>
          {argument !== null && <code className="call-argument">{lineOf(argument, LONGEST_ARGUMENT)}</code>}
          {status}
        </>
      }
    >
      {children}
    </Disclosure>
  );
}

function lineOf(text: string, limit: number): string {
  return visibleCode(oneLine(text, limit));
}

function mainArgument({ path, lines, command, query }: ToolArguments): string | null {
  if (command !== null) return command;
  const place = path === null || lines === null ? path : `${path}:${lines}`;
  if (query === null || place === null) return query?.text ?? place;
  return t("transcript.query_in_place", { query: query.text, place });
}

function readPath(name: string, { path, command, query }: ToolArguments): string | null {
  return command === null && query === null && READING.test(name) ? path : null;
}

function editDiffs({ edits, patch }: ToolArguments): Diff[] {
  const diffs = edits.map(({ before, after }) => renderedChange(before, after));
  return patch === null ? diffs : [...diffs, renderedDiff(patch)];
}

function Arguments({ values: { path, command, content, query, rest } }: { values: ToolArguments }) {
  const named: [string, JsonValue][] = [...rest];
  if (path !== null && isCutInLine(path)) named.unshift(["path", path]);
  if (query !== null && isCutInLine(query.text)) named.unshift([query.name, query.text]);
  const short = named.filter(([, value]) => isShort(value));
  const long = named.filter(([, value]) => !isShort(value));
  return (
    <>
      {command !== null && <CodeBlock code={command} word="bash" />}
      {short.length > 0 && (
        <dl className="arguments">
          {short.map(([key, value]) => (
            <div key={key}>
              <dt>{visibleCode(key)}</dt>
              <dd>{visibleCode(String(value))}</dd>
            </div>
          ))}
        </dl>
      )}
      {long.map(([key, value]) => (
        <div key={key}>
          <p className="argument-name">{visibleCode(key)}</p>
          {typeof value === "string" ? <Output text={value} /> : <DataBlock value={value} />}
        </div>
      ))}
      {content !== null && <CodeBlock code={content} path={path} />}
    </>
  );
}

function isCutInLine(text: string): boolean {
  return oneLine(text, LONGEST_ARGUMENT) !== text;
}

function isShort(value: JsonValue): boolean {
  if (typeof value === "string") return value.length <= LONGEST_SHORT && !value.includes("\n");
  return typeof value !== "object" || value === null;
}

interface ResultProps {
  result: ToolResultItem;
  diff: Diff | null;
  /** Of the file that was read, where it was one. */
  path: string | null;
}

function Result({ result, diff, path }: ResultProps) {
  const { labels } = useEntryContext();
  const details = furtherDetails(result);
  const isEmpty = diff === null && result.blocks.length === 0 && details === null;
  return (
    <div className="result" data-entry={result.id}>
      <Bookmark entryId={result.id} labels={labels} />
      {diff !== null && <DiffView diff={diff} />}
      {result.blocks.map((block, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they never change
        <ResultBlock key={at} block={block} path={result.is_error ? null : path} failed={result.is_error} />
      ))}
      {details !== null && (
        <Disclosure
          kind="asides"
          id={result.id}
          className="aside"
          summary={<span>{t("transcript.recorded_details")}</span>}
        >
          {() => <DataBlock value={details} />}
        </Disclosure>
      )}
      {isEmpty && <p className="quiet">{t("transcript.no_output")}</p>}
    </div>
  );
}

function ResultBlock({ block, path, failed }: { block: TranscriptBlock; path: string | null; failed: boolean }) {
  if (block.kind === "image") return <Picture mimeType={block.mime_type} base64={block.data} />;
  if (block.kind === "text") {
    if (block.text === "") return <p className="quiet">{t("transcript.no_output")}</p>;
    return path === null ? <Output text={block.text} failed={failed} /> : <CodeBlock code={block.text} path={path} />;
  }
  return <DataBlock value={block.kind === "raw" ? block.value : { ...block }} />;
}

/** What a tool recorded beside its text, and beside its diff where it is shown. */
function furtherDetails({ details, diff }: ToolResultItem): JsonValue {
  if (!isJsonObject(details) || diff === null) return details;
  const { diff: _diff, patch: _patch, firstChangedLine: _line, ...others } = details;
  return Object.keys(others).length === 0 ? null : others;
}

function Status({ results, diffs }: { results: readonly ToolResultItem[]; diffs: readonly Diff[] }) {
  if (results.some((result) => result.is_error)) {
    return <span className="call-status failed">{t("transcript.failed")}</span>;
  }
  if (diffs.length > 0) {
    return (
      <span className="call-status">
        <span className="added">+{diffs.reduce((sum, { added }) => sum + added, 0)}</span>{" "}
        <span className="removed">−{diffs.reduce((sum, { removed }) => sum + removed, 0)}</span>
      </span>
    );
  }
  const lines = results
    .flatMap(({ blocks }) => blocks)
    .reduce((sum, block) => sum + (block.kind === "text" ? lineCount(block.text) : 0), 0);
  return lines === 0 ? null : <span className="call-status">{t("transcript.lines", { count: lines })}</span>;
}
