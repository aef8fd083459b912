import { type JsonValue, oneLine } from "@sm/core";
import type { ToolArguments } from "@sm/core/rendering";
import type { ReactNode } from "react";
import { t } from "../i18n/text.ts";
import { CodeBlock } from "./content/code-block.tsx";
import { Output } from "./content/output.tsx";
import { type Diff, renderedChange, renderedDiff } from "./content/rendered.ts";
import { DataBlock } from "./data-block.tsx";
import { Disclosure } from "./disclosure.tsx";
import { ToolIcon } from "./tool-icon.tsx";

/** Characters of a name and of the main argument that the line of a call has; the argument is whole below it. */
const MAX_NAME_LENGTH = 80;
const MAX_ARGUMENT_LENGTH = 200;

/** Arguments up to this length stand beside their names. */
const MAX_SHORT_LENGTH = 200;

interface ToolLineProps {
  id: string;
  name: string;
  argument: string | null;
  /** The argument is below it as well, and is not said twice while it is open. */
  isArgumentBelow?: boolean;
  status: ReactNode;
  /** Shown below the line while it is folded. */
  preview?: ReactNode;
  children: () => ReactNode;
}

/** A line with the name of a tool, what it is about and how it went, over what belongs to it. */
export function ToolLine({ id, name, argument, isArgumentBelow = false, status, preview, children }: ToolLineProps) {
  return (
    <Disclosure
      kind="tools"
      id={id}
      className="call"
      summary={(isOpen) => (
        <>
          <ToolIcon name={name} />
          <span className="call-name">{oneLine(name, MAX_NAME_LENGTH) || t("transcript.unknown_tool")}</span>
          {argument !== null && !(isOpen && isArgumentBelow) && (
            <code className="call-argument">{oneLine(argument, MAX_ARGUMENT_LENGTH)}</code>
          )}
          {status}
        </>
      )}
      preview={preview}
    >
      {children}
    </Disclosure>
  );
}

export function mainArgument({ path, lines, command, query }: ToolArguments): string | null {
  if (command !== null) return command;
  const place = path === null || lines === null ? path : `${path}:${lines}`;
  if (query === null || place === null) return query?.text ?? place;
  return t("transcript.query_in_place", { query: query.text, place });
}

export function editDiffs({ edits, patch }: ToolArguments): Diff[] {
  const diffs = edits.map(({ before, after }) => renderedChange(before, after));
  return patch === null ? diffs : [...diffs, renderedDiff(patch)];
}

export function Arguments({ values: { path, command, content, query, rest } }: { values: ToolArguments }) {
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
              <dt>{key}</dt>
              <dd>{String(value)}</dd>
            </div>
          ))}
        </dl>
      )}
      {long.map(([key, value]) => (
        <div key={key}>
          <p className="argument-name">{key}</p>
          {typeof value === "string" ? <Output text={value} /> : <DataBlock value={value} />}
        </div>
      ))}
      {content !== null && <CodeBlock code={content} path={path} />}
    </>
  );
}

function isCutInLine(text: string): boolean {
  return oneLine(text, MAX_ARGUMENT_LENGTH) !== text;
}

function isShort(value: JsonValue): boolean {
  if (typeof value === "string") return value.length <= MAX_SHORT_LENGTH && !value.includes("\n");
  return typeof value !== "object" || value === null;
}
