import { oneLine } from "@sm/core";
import { stringify, toolArguments } from "@sm/core/rendering";
import { ScrollBox } from "../design/scroll-box.tsx";
import { Markup } from "../entries/content/markup.tsx";
import { renderedOutput } from "../entries/content/rendered.ts";
import { ToolIcon } from "../entries/tool-icon.tsx";
import { t } from "../i18n/text.ts";
import type { RunningTool } from "./conversation.ts";

/** Lines and characters at the end of a tool's output that are shown while it runs. */
const LINES_SHOWN = 12;
const CHARACTERS_SHOWN = 4 * 1024;
const MAX_ARGUMENT_LENGTH = 200;

/** Tools that run, with the end of what they have written so far. */
export function RunningTools({ tools }: { tools: readonly RunningTool[] }) {
  return tools.map((tool) => (
    <section key={tool.id} className="entry" aria-label={t("live.running", { tool: tool.name })}>
      <div className="call">
        <div className="summary cursor-default px-3">
          <span aria-hidden className="size-2 shrink-0 animate-[breathe_2s_infinite] rounded-full bg-live" />
          <ToolIcon name={tool.name} />
          <span className="call-name">{oneLine(tool.name, 80) || t("transcript.unknown_tool")}</span>
          <code className="call-argument">{oneLine(argumentOf(tool), MAX_ARGUMENT_LENGTH)}</code>
          <span className="call-status">{t("live.is_running")}</span>
        </div>
        {tool.output !== "" && (
          <div className="body">
            <div className="code output">
              <ScrollBox label={t("transcript.output")}>
                <Markup as="samp" html={renderedOutput(endOf(tool.output))} />
              </ScrollBox>
            </div>
          </div>
        )}
      </div>
    </section>
  ));
}

function argumentOf(tool: RunningTool): string {
  const { command, path, query } = toolArguments(tool.arguments);
  return command ?? query?.text ?? path ?? stringify(tool.arguments);
}

function endOf(output: string): string {
  return output.slice(-CHARACTERS_SHOWN).trimEnd().split("\n").slice(-LINES_SHOWN).join("\n");
}
