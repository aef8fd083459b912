import { agentName, type BoardRow, outcomeOf } from "@sm/core";
import { formatRelative } from "../i18n/format.ts";
import { t } from "../i18n/text.ts";
import { projectName } from "../projects/project-name.ts";

/** Name of the agent or the program of a row. */
export function programOf(row: BoardRow): string {
  if (row.type === "session") return agentName("pi");
  if (row.type === "written") return agentName(row.record.format);
  return row.terminal.status?.app ?? projectName(row.terminal.shell);
}

/** What a program in a terminal calls what it does; `null` where it does not name it. */
export function terminalTitle({ status }: Extract<BoardRow, { type: "terminal" }>["terminal"]): string | null {
  const isNamed = status?.state === "working" || status?.state === "done";
  return status?.title ?? (isNamed ? status.message : null);
}

/** What a row waits for, what it does now, or how it has ended: in words of the page, and in those of the program. */
export function detailOf(row: BoardRow): { state: string; text: string | null } {
  switch (row.group) {
    case "waiting":
      return waitingFor(row);
    case "running":
      return running(row);
    case "ended":
      return { state: resultOf(row), text: outcomeOf(row)?.error ?? null };
  }
}

function waitingFor(row: BoardRow): { state: string; text: string | null } {
  if (row.type === "session") {
    const { question } = row.session;
    if (question === null) return { state: t("live.state_waiting"), text: null };
    return { state: t(`live.asks_${question.kind}`), text: question.title };
  }
  const status = row.type === "terminal" ? row.terminal.status : null;
  const kind = status?.kind ?? null;
  return {
    state: kind === null ? t("live.state_waiting") : t(`live.asks_${kind}`),
    text: status?.message ?? null,
  };
}

function running(row: BoardRow): { state: string; text: string | null } {
  if (row.type === "written") return { state: t("live.written", { when: formatRelative(row.since) }), text: null };
  if (row.type === "terminal") {
    const { status } = row.terminal;
    const progress = status?.progress ?? null;
    const state = t("live.state_streaming");
    return { state: progress === null ? state : `${state} · ${progress}%`, text: null };
  }
  const { controllable, state, activity } = row.session;
  if (!controllable) return { state: t("live.state_external"), text: null };
  if (state === "idle") return { state: t("live.state_idle"), text: null };
  if (activity === null) return { state: t("live.state_streaming"), text: null };
  const text = activity.tool === null ? t("live.prompted", { text: activity.text }) : activity.text;
  return { state: activity.tool ?? t("live.state_streaming"), text };
}

function resultOf(row: BoardRow): string {
  const outcome = outcomeOf(row);
  if (outcome === null) return t("live.state_exited");
  const { result, exit_code } = outcome;
  if (result === "exited" && exit_code !== null) return t("live.result_exit_code", { code: exit_code });
  return t(`live.result_${result}`);
}
