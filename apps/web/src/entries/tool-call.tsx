import type { ToolResultItem, TranscriptBlock } from "@sm/core";
import { type ToolArguments, toolArguments } from "@sm/core/rendering";
import { useMemo } from "react";
import { formatDuration } from "../i18n/format.ts";
import { t } from "../i18n/text.ts";
import { DiffView } from "./content/output.tsx";
import { type Diff, lineCount, renderedDiff } from "./content/rendered.ts";
import { ContextEditSign } from "./context-edit.tsx";
import { timeBetween } from "./durations.ts";
import { FailureText } from "./failure-text.tsx";
import { SubagentLinks } from "./subagent-links.tsx";
import { Arguments, editDiffs, mainArgument, ToolLine } from "./tool-line.tsx";
import { Result } from "./tool-result.tsx";
import { UsageText } from "./usage-text.tsx";

/** A result of a live session, with the time that its tool took. */
export type TimedResult = ToolResultItem & { duration_ms?: number };

export type ToolCall = Extract<TranscriptBlock, { kind: "tool_call" }>;

/** Tools whose results are files: other tools with a path return something about it. */
const READING = /read|view|cat|open/i;

interface ToolCallProps {
  /** Of the part, for what opens. */
  id: string;
  call: ToolCall;
  results: readonly ToolResultItem[];
  calledAt: string | null;
}

/** Shows a call as one line that opens: what it was called with, and its results. */
export function ToolCallView({ id, call, results, calledAt }: ToolCallProps) {
  const values = useMemo(() => toolArguments(call.arguments), [call]);
  const recorded = useMemo(() => results.map(({ diff }) => (diff === null ? null : renderedDiff(diff))), [results]);
  const edits = useMemo(() => (recorded.some((diff) => diff !== null) ? [] : editDiffs(values)), [values, recorded]);
  const diffs = [...edits, ...recorded].filter((diff) => diff !== null);
  const path = readPath(call.name, values);
  return (
    <>
      <ToolLine
        id={id}
        name={call.name}
        argument={mainArgument(values)}
        isArgumentBelow={values.command !== null}
        status={<Status results={results} diffs={diffs} written={values.content} calledAt={calledAt} />}
        preview={<FailureLine results={results} />}
      >
        {() => (
          <>
            <Arguments values={values} />
            {edits.map((diff, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: they never change
              <DiffView key={at} diff={diff} path={values.path} />
            ))}
            {results.map((result, at) => (
              <Result key={result.id} result={result} diff={recorded[at] ?? null} diffPath={values.path} path={path} />
            ))}
            {results.length === 0 && <p className="quiet">{t("transcript.no_result")}</p>}
          </>
        )}
      </ToolLine>
      <SubagentLinks results={results} />
    </>
  );
}

/** Shows a result whose call stands elsewhere. */
export function LoneResult({ result }: { result: ToolResultItem }) {
  const diff = useMemo(() => (result.diff === null ? null : renderedDiff(result.diff)), [result]);
  return (
    <>
      <ToolLine
        id={result.id}
        name={result.tool_name ?? t("transcript.unknown_tool")}
        argument={t("transcript.result")}
        status={<Status results={[result]} diffs={diff === null ? [] : [diff]} written={null} calledAt={null} />}
        preview={<FailureLine results={[result]} />}
      >
        {() => <Result result={result} diff={diff} diffPath={null} path={null} />}
      </ToolLine>
      <SubagentLinks results={[result]} />
    </>
  );
}

function readPath(name: string, { path, command, query }: ToolArguments): string | null {
  return command === null && query === null && READING.test(name) ? path : null;
}

interface StatusProps {
  results: readonly ToolResultItem[];
  diffs: readonly Diff[];
  /** The text that was written to a file. */
  written: string | null;
  calledAt: string | null;
}

function Status(props: StatusProps) {
  const { results, calledAt } = props;
  return (
    <>
      <Outcome {...props} />
      <span className="call-marks">
        <Duration results={results} calledAt={calledAt} />
        {results.map(({ id, usage }) => (
          <UsageText key={id} usage={usage} />
        ))}
        {results.map(({ id }) => (
          <ContextEditSign key={id} entryId={id} />
        ))}
      </span>
    </>
  );
}

/** How long the tool took: as the agent tells in a live session, else by the times of the call and its result. */
function Duration({ results, calledAt }: { results: readonly TimedResult[]; calledAt: string | null }) {
  const last = results.at(-1);
  const milliseconds = last?.duration_ms ?? timeBetween(calledAt, last?.timestamp ?? null);
  if (milliseconds === null) return null;
  return <span title={t("transcript.duration_title")}>{formatDuration(milliseconds)}</span>;
}

/** Says of a call that has failed why, while it is folded. */
function FailureLine({ results }: { results: readonly ToolResultItem[] }) {
  const failed = results.find(({ is_error }) => is_error);
  const texts = failed?.blocks.flatMap((block) => (block.kind === "text" ? [block.text] : [])) ?? [];
  return failed === undefined ? null : <FailureText output={texts.join("\n")} />;
}

function Outcome({ results, diffs, written }: StatusProps) {
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
  if (written !== null) {
    return (
      <span className="call-status">
        <span className="added">+{lineCount(written)}</span>
      </span>
    );
  }
  const lines = results
    .flatMap(({ blocks }) => blocks)
    .reduce((sum, block) => sum + (block.kind === "text" ? lineCount(block.text) : 0), 0);
  return lines === 0 ? null : <span className="call-status">{t("transcript.lines", { count: lines })}</span>;
}
