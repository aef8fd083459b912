import { AppError, type HubStatus, type LiveSessionService, type TerminalService, type VaultService } from "@sm/core";
import type { ConfigurationService, PushService, Services, ShareService } from "@sm/router";

/** What a hub has not: terminals, agents and files are on machines. */
type Absent = Pick<
  Services,
  "configuration" | "liveSessions" | "modelConfig" | "push" | "resources" | "sending" | "shares" | "terminals" | "vault"
>;

/** Machines send, and a hub takes. */
const NO_HUB: HubStatus = {
  ...{ url: null, projects: null, formats: null, redact: false, state: "off", machine_id: null },
  ...{ files: 0, pending: 0, sent_bytes: 0, last_sent_at: null, problems: [] },
};

/** The services of which a hub has nothing: lists are empty, and everything else says why. */
export const ABSENT_SERVICES: Absent = {
  terminals: absent<TerminalService>("Terminals run on machines; open them in the service of one.", {
    list: async () => [],
  }),
  liveSessions: absent<LiveSessionService>("Agents run on machines; start them in the service of one.", {
    list: async () => [],
  }),
  configuration: absent<ConfigurationService>("This is configured on machines, and where the hub is started.", {
    sessionPaths: async () => [],
    agentHomes: async () => [],
    overrides: async () => [],
    versions: async () => [],
  }),
  sending: { status: async () => NO_HUB },
  modelConfig: absent("Models are configured on machines."),
  resources: absent("Files of agents are on machines."),
  shares: absent<ShareService>("A hub has no public links; share a session from its machine.", {
    problem: () => "off",
    list: async () => [],
  }),
  push: absent<PushService>("A hub sends no notifications; machines do."),
  vault: absent<VaultService>("A hub keeps what machines send, as long as its owner has it kept."),
};

/** @param known methods that say more than that there is nothing. */
function absent<Service extends object>(message: string, known: Partial<Service> = {}): Service {
  const refuse = () => Promise.reject(new AppError("UNAVAILABLE", message));
  // Every method of these services is asynchronous, and rejects so.
  return new Proxy(known, { get: (target, name) => Reflect.get(target, name) ?? refuse }) as Service;
}
