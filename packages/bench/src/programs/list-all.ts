import { SessionManager } from "@earendil-works/pi-coding-agent";

/** What the agent's own listing took; its sessions lie where `PI_CODING_AGENT_DIR` says. */
export interface AgentListing {
  seconds: number;
  sessions: number;
  /** Bytes, the agent's code included. */
  peakMemory: number;
}

const start = performance.now();
const sessions = await SessionManager.listAll();
const listing: AgentListing = {
  seconds: (performance.now() - start) / 1000,
  sessions: sessions.length,
  peakMemory: process.resourceUsage().maxRSS * 1024,
};
process.stdout.write(JSON.stringify(listing));
