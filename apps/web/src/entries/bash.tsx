import type { BashItem } from "@sm/core";
import { t } from "../i18n/text.ts";
import { CodeBlock } from "./content/code-block.tsx";
import { Output } from "./content/output.tsx";
import { FailureText } from "./failure-text.tsx";
import { ToolLine } from "./tool-line.tsx";

/** Shows a command that the user ran, with its output. */
export function BashBody({ item }: { item: BashItem }) {
  return (
    <ToolLine
      id={item.id}
      name="bash"
      argument={item.command}
      isArgumentBelow
      status={<ExitStatus item={item} />}
      preview={hasFailed(item) && <FailureText output={item.output} />}
    >
      {() => (
        <>
          <CodeBlock code={item.command} word="bash" />
          {item.output === "" ? <p className="quiet">{t("transcript.no_output")}</p> : <Output text={item.output} />}
          {item.truncated && <p className="quiet">{t("transcript.output_shortened")}</p>}
          {item.full_output_path !== null && (
            <p className="quiet">{t("transcript.full_output", { path: item.full_output_path })}</p>
          )}
        </>
      )}
    </ToolLine>
  );
}

function hasFailed({ cancelled, exit_code }: BashItem): boolean {
  return cancelled || (exit_code !== null && exit_code !== 0);
}

function ExitStatus({ item: { cancelled, exit_code } }: { item: BashItem }) {
  if (cancelled) return <span className="call-status failed">{t("transcript.cancelled")}</span>;
  if (exit_code === null) return null;
  return (
    <span className={`call-status${exit_code === 0 ? "" : " failed"}`}>
      {t("transcript.exit_code", { code: String(exit_code) })}
    </span>
  );
}
