import type { BashItem } from "../../session/transcript.ts";
import { codeBlock } from "./code.ts";
import { codeHtml } from "./code-html.ts";
import type { EntryHeads } from "./entry-heads.ts";
import { escapeHtml } from "./escape.ts";
import type { PageContext } from "./page-context.ts";
import { details } from "./tool-call.ts";
import { outputHtml } from "./tool-output.ts";

/** Renders a user command with its output. */
export function bashHtml(item: BashItem, heads: EntryHeads, page: PageContext): string {
  const output = outputHtml(item.output, null, page.budget) || '<p class="empty">No output</p>';
  const body = [codeBlock(item.command, "bash", page.budget), output, remarksHtml(item)];
  return `${heads.open(item, "bash", "User")}${details("$", item.command, statusHtml(item), body)}</article>`;
}

function statusHtml({ exit_code, cancelled }: BashItem): string {
  if (cancelled) return '<span class="call-status failed">cancelled</span>';
  if (exit_code === null) return "";
  const failed = exit_code === 0 ? "" : " failed";
  return `<span class="call-status${failed}">exit code ${escapeHtml(String(exit_code))}</span>`;
}

function remarksHtml({ truncated, full_output_path }: BashItem): string {
  if (!truncated && full_output_path === null) return "";
  const place = full_output_path === null ? "" : ` Full output: <code>${codeHtml(full_output_path)}</code>.`;
  return `<p class="omitted">${truncated ? "The agent truncated this output." : ""}${place}</p>`;
}
