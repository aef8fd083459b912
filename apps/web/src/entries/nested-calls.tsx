import type { NestedCall, NestedCalls } from "@sm/core";
import { toolArguments } from "@sm/core/rendering";
import { useMemo } from "react";
import { formatNumber } from "../i18n/format.ts";
import { t } from "../i18n/text.ts";
import { DiffView, Output } from "./content/output.tsx";
import { nestedCallId } from "./nested-call-id.ts";
import { Arguments, editDiffs, mainArgument, ToolLine } from "./tool-line.tsx";

/** Shows the calls that a tool made itself, each as a line of its own. */
export function NestedCallList({ id, nested }: { id: string; nested: NestedCalls }) {
  return (
    <div className="nested">
      <p className="argument-name">
        {t("transcript.nested_calls", { count: nested.calls.length })}
        {!nested.complete && ` ${t("transcript.nested_incomplete")}`}
      </p>
      {nested.calls.map((call, at) => (
        <NestedCallView key={nestedCallId(id, at)} id={nestedCallId(id, at)} call={call} />
      ))}
    </div>
  );
}

function NestedCallView({ id, call }: { id: string; call: NestedCall }) {
  const values = useMemo(() => toolArguments(call.arguments ?? {}), [call]);
  const outcome = outcomeText(call);
  const status =
    outcome === "" ? null : <span className={`call-status${call.status === "error" ? " failed" : ""}`}>{outcome}</span>;
  return (
    <ToolLine
      id={id}
      name={call.name}
      argument={mainArgument(values)}
      isArgumentBelow={values.command !== null}
      status={status}
    >
      {() => (
        <>
          <Arguments values={values} />
          {editDiffs(values).map((diff, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: they never change
            <DiffView key={at} diff={diff} path={values.path} />
          ))}
          {call.arguments === null && <p className="quiet">{omittedText(call)}</p>}
          {call.error !== null && <Output text={call.error} failed />}
          {call.error === null && call.status === "ok" && <p className="quiet">{t("transcript.nested_result")}</p>}
        </>
      )}
    </ToolLine>
  );
}

function outcomeText({ status, duration_ms }: NestedCall): string {
  const parts: string[] = [];
  if (status === "error") parts.push(t("transcript.failed"));
  if (status === "unfinished") parts.push(t("transcript.unfinished"));
  if (duration_ms !== null) parts.push(t("transcript.milliseconds", { count: duration_ms }));
  return parts.join(" · ");
}

function omittedText({ arguments_bytes }: NestedCall): string {
  if (arguments_bytes === null) return t("transcript.arguments_omitted");
  return t("transcript.arguments_omitted_size", { bytes: formatNumber(arguments_bytes) });
}
