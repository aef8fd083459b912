import { isJsonObject, type JsonValue, type ToolResultItem } from "@sm/core";
import { t } from "../i18n/text.ts";
import { Bookmark } from "./bookmark.tsx";
import { DiffView } from "./content/output.tsx";
import type { Diff } from "./content/rendered.ts";
import { ContextEditMark } from "./context-edit.tsx";
import { DataBlock } from "./data-block.tsx";
import { Disclosure } from "./disclosure.tsx";
import { useEntryContext } from "./entry-context.ts";
import { NestedCallList } from "./nested-calls.tsx";
import { ResultBlock } from "./result-block.tsx";
import { StoredOutput } from "./stored-output.tsx";
import { TruncatedNote } from "./truncated-note.tsx";

interface ResultProps {
  result: ToolResultItem;
  diff: Diff | null;
  /** Of the file that was changed. */
  diffPath: string | null;
  /** Of the file that was read, where it was one. */
  path: string | null;
}

/** Shows what a tool has returned, with the calls that it made itself. */
export function Result({ result, diff, diffPath, path }: ResultProps) {
  const { labels } = useEntryContext();
  const details = furtherDetails(result);
  const isEmpty = diff === null && result.blocks.length === 0 && details === null && result.nested_calls === null;
  return (
    <div className="result" data-entry={result.id}>
      <Bookmark entryId={result.id} labels={labels} />
      {diff !== null && <DiffView diff={diff} path={diffPath} />}
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
      {result.nested_calls !== null && <NestedCallList id={result.id} nested={result.nested_calls} />}
      {isEmpty && <p className="quiet">{t("transcript.no_output")}</p>}
      {result.stored_output !== null && <StoredOutput entryId={result.id} stored={result.stored_output} />}
      <TruncatedNote entryId={result.id} />
      <ContextEditMark entryId={result.id} />
    </div>
  );
}

/** What a tool recorded beside its text, and beside its diff where it is shown. */
function furtherDetails({ details, diff }: ToolResultItem): JsonValue {
  if (!isJsonObject(details) || diff === null) return details;
  const { diff: _diff, patch: _patch, firstChangedLine: _line, ...others } = details;
  return Object.keys(others).length === 0 ? null : others;
}
