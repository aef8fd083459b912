import { OTHER_AGENTS } from "@sm/core";
import type { AgentPlaces } from "./agent-places.ts";
import type { Config } from "./config.ts";

/** All agents switched on, with their usual homes. */
export const USUAL_AGENTS = Object.fromEntries(
  OTHER_AGENTS.map(({ agent }) => [agent, { enabled: true, homes: [] }]),
) as unknown as Config["agents"];

/** For a configuration service of tests: agents that keep no sessions. */
export const NO_OTHER_AGENTS = { agents: USUAL_AGENTS, otherAgentPlaces: (): AgentPlaces[] => [] };
