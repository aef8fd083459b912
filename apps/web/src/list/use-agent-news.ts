import { useNavigate } from "@tanstack/react-router";
import { useEffect } from "react";
import { createPreference } from "../browser/preference.ts";
import { useAgents } from "../client/agents.ts";
import { toast } from "../design/toast.tsx";
import { t } from "../i18n/text.ts";

/** Agents that this browser knows to be in the list. */
const knownAgents = createPreference<readonly string[]>("known-agents", [], (stored) =>
  Array.isArray(stored) ? stored.filter((name) => typeof name === "string").slice(0, MOST) : [],
);

const MOST = 50;

/** Tells once of each agent besides pi whose sessions are in the list: they are read without being asked for. */
export function useAgentNews(): void {
  const agents = useAgents();
  const navigate = useNavigate();
  useEffect(() => {
    const known = knownAgents.get();
    const news = agents.filter(({ format }) => format !== "pi" && !known.includes(format));
    if (news.length === 0) return;
    knownAgents.set([...known, ...news.map(({ format }) => format)].slice(-MOST));
    toast({
      text: t("list.found_agents", { names: news.map(({ name }) => name).join(", ") }),
      lastsMs: 10_000,
      action: {
        text: t("rail.settings"),
        run: () => void navigate({ to: "/settings/$", params: { _splat: "agents" } }),
      },
    });
  }, [agents, navigate]);
}
