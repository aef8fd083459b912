import { join } from "node:path";
import { openModelConfig } from "@sm/agent";
import { openResources } from "@sm/agent/resources";
import type { TagService } from "@sm/core";
import type { Library, UserState } from "@sm/core/node";
import {
  createExportTickets,
  NO_RETENTION,
  NO_SHARED_PROJECTS,
  type PushService,
  type Services,
  type ShareService,
} from "@sm/router";
import { type Configuration, type ConfigurationOptions, createConfiguration } from "./configuration/service.ts";
import type { HubSending } from "./hub/hub-sending.ts";
import type { Programs } from "./programs.ts";
import { publishedVault } from "./published-vault.ts";

export interface ServicesOptions extends Omit<ConfigurationOptions, "state" | "library" | "hubSending"> {
  hubSending: Pick<HubSending, "configure" | "status">;
  state: UserState;
  library: Library;
  programs: Pick<Programs, "terminals" | "liveSessions">;
  shares: ShareService;
  push: PushService;
}

/** Creates all services that commands use. */
export function createServices(options: ServicesOptions): Services & { configuration: Configuration } {
  const { agentDir, agentHome, dataDir, home, library, programs, state } = options;
  const configuration = createConfiguration(options);
  return {
    sessions: library,
    vault: publishedVault(library.vault, options.bus),
    sending: options.hubSending,
    tokens: state.tokens,
    tags: withVersions(library.tags, configuration),
    configuration,
    modelConfig: openModelConfig({
      agentDir,
      agentHome,
      otherHomes: () => configuration.otherHomes(),
      dataDir,
      configPath: options.path,
      backupDir: join(dataDir, "model-config-backups"),
      changed: (origin) => configuration.record(origin),
    }),
    resources: openResources({ agentDir, home, projects: () => library.projects() }),
    terminals: programs.terminals,
    liveSessions: programs.liveSessions,
    exportTickets: createExportTickets(library),
    shares: options.shares,
    sharedProjects: NO_SHARED_PROJECTS,
    retention: NO_RETENTION,
    push: options.push,
  };
}

/** The tag tree is part of the configuration: each change creates a version. */
function withVersions(tags: TagService, configuration: Pick<Configuration, "record">): TagService {
  const recorded = async <T>(origin: string, change: Promise<T>): Promise<T> => {
    const result = await change;
    await configuration.record(origin);
    return result;
  };
  return {
    list: () => tags.list(),
    create: (tag) => recorded("create_tag", tags.create(tag)),
    update: (id, changes) => recorded("update_tag", tags.update(id, changes)),
    delete: (id) => recorded("delete_tag", tags.delete(id)),
    assign: (paths, id) => tags.assign(paths, id),
    remove: (paths, id) => tags.remove(paths, id),
  };
}
