import type { ToolResultItem } from "@sm/core";
import { Link } from "@tanstack/react-router";
import { Bot, ChevronRight } from "lucide-react";
import { costText } from "../i18n/cost.ts";
import { t } from "../i18n/text.ts";
import { ELSEWHERE } from "../url/elsewhere.ts";
import { useEntryContext } from "./entry-context.ts";

/** Where an agent was started, so that its session leads back there: kept with the address in the history. */
declare module "@tanstack/react-router" {
  interface HistoryState {
    startedAt?: string;
  }
}

/** Leads from a call to the sessions of the agents that it has started. */
export function SubagentLinks({ results }: { results: readonly ToolResultItem[] }) {
  const { subagentOf } = useEntryContext();
  return results.flatMap(({ id, subagents }) =>
    subagents.map((reference) => {
      const record = subagentOf(reference);
      if (record === null) return null;
      const facts = [t("list.messages", { count: record.message_count }), costText(record.usage)];
      return <SubagentLink key={`${id} ${reference}`} startedAt={id} subagent={record} facts={facts} />;
    }),
  );
}

interface SubagentLinkProps {
  /** The entry that leads there. */
  startedAt: string;
  subagent: { path: string; title: string };
  facts: readonly (string | null)[];
}

/** Leads to the session of an agent. */
export function SubagentLink({ startedAt, subagent: { path, title }, facts }: SubagentLinkProps) {
  return (
    <Link
      to="/session"
      search={(search) => ({ ...search, ...ELSEWHERE, path }) as never}
      state={(state) => ({ ...state, startedAt })}
      preload={false}
      title={t("transcript.open_subagent")}
      className="subagent"
    >
      <Bot aria-hidden size={15} />
      <span className="subagent-title">{title}</span>
      <span className="subagent-facts">{facts.filter((fact) => fact !== null).join(" · ")}</span>
      <ChevronRight aria-hidden size={15} />
    </Link>
  );
}
