import type {
  AgentHome,
  AgentResources,
  AgentSwitches,
  ArchiveOptions,
  Budget,
  ExportStream,
  HubSettings,
  JsonObject,
  JsonValue,
  LiveSessionService,
  ModelConfigStore,
  Requester,
  SendingService,
  SessionLibrary,
  TagService,
  TerminalService,
  TokenStore,
  VaultService,
} from "@sm/core";
import type { PushService } from "./push.ts";
import type { RetentionService } from "./retention.ts";
import type { SharedProjectService } from "./shared-projects.ts";
import type { ShareService } from "./shares.ts";

/** A version of the configuration, without its content. */
export interface ConfigVersionSummary {
  id: string;
  created_at: string;
  /** What created it: the name of a command, or `external` for an edited file. */
  origin: string;
  size_bytes: number;
  sha256: string;
}

/** One place in which two configurations differ. */
export interface ConfigDifference {
  /** JSON pointer: into the first version for removed values, otherwise into the second. */
  path: string;
  kind: "added" | "removed" | "changed";
  /** `null` if added. */
  from: JsonValue;
  /** `null` if removed. */
  to: JsonValue;
}

/** A field of `session-manager.json` whose value is not in force. */
export interface ConfigOverride {
  field: string;
  /** What is in force instead. */
  value: string | number;
  /** The flag or the environment variable that says so. */
  source: string;
}

/**
 * The configuration of the service and of the agent, with its history.
 *
 * Changes reject with AppError `READ_ONLY` if the file system does not permit writing, and with `CONFLICT` if a file is
 * invalid (someone is editing it) or locked by another program.
 */
export interface ConfigurationService {
  /** The session directories chosen by the user. */
  sessionPaths(): Promise<string[]>;
  /**
   * Replaces them; the library applies the change immediately.
   *
   * Rejects with AppError `INVALID_PAYLOAD` unless every path is an absolute, existing directory.
   */
  saveSessionPaths(paths: string[]): Promise<string[]>;
  /** The agents whose sessions are read or could be: pi first. */
  agentHomes(): Promise<AgentHome[]>;
  /**
   * Replaces the switches of some agents; the library applies the change immediately.
   *
   * Rejects with AppError `INVALID_PAYLOAD` unless every home is an absolute, existing directory.
   */
  saveAgentHomes(agents: AgentSwitches): Promise<AgentHome[]>;
  /**
   * Replaces the hub that sessions are sent to, or removes it; applied immediately.
   *
   * Rejects with AppError `INVALID_PAYLOAD` for what a start would refuse.
   */
  saveHub(hub: HubSettings | null): Promise<void>;
  /** The fields of the service's file that a flag or the environment overrides. */
  overrides(): Promise<ConfigOverride[]>;
  /** What the user wants to spend at most; one of the preferences. */
  budget(): Promise<Budget>;
  saveBudget(budget: Budget): Promise<Budget>;
  /**
   * The current configuration, without the agent's secrets and API tokens; with the marks of sessions if asked for.
   * Rejects with AppError `PAYLOAD_TOO_LARGE` where there are too many.
   */
  bundle(options?: { include_marks?: boolean }): Promise<JsonObject>;
  /**
   * Replaces the complete configuration atomically, and adds the marks in the bundle to those that there are. Rejects
   * with AppError `INVALID_PAYLOAD`.
   */
  saveBundle(bundle: JsonObject): Promise<{ version_id: string }>;
  /** Newest first. */
  versions(): Promise<ConfigVersionSummary[]>;
  /** Rejects with AppError `NOT_FOUND`. */
  version(id: string): Promise<{ id: string; created_at: string; origin: string; bundle: JsonObject }>;
  /** Restores a version of the configuration. Rejects with AppError `NOT_FOUND`. */
  restoreVersion(id: string): Promise<{ version_id: string }>;
  /** Rejects with AppError `NOT_FOUND`. */
  compareVersions(from: string, to: string): Promise<{ from: string; to: string; changes: ConfigDifference[] }>;
}

/** Prepared exports of many sessions, downloaded with GET /api/export and a ticket. */
export interface ExportTickets {
  /** Checks the sessions and keeps their export for a minute. Rejects like `SessionLibrary.exportArchive`. */
  issue(options: ArchiveOptions, requester?: Requester): Promise<{ url: string; expires_at: string }>;
  /**
   * Finds an export without consuming the ticket; its pieces must not be read. Rejects with AppError `NOT_FOUND` for a
   * used, expired or unknown ticket, and as `SessionLibrary.exportArchive` does.
   */
  look(ticket: string, requester?: Requester): Promise<ExportStream>;
  /** Finds an export and consumes the ticket. */
  redeem(ticket: string, requester?: Requester): Promise<ExportStream>;
}

/** Everything that commands may use. Interfaces only, so that tests run all commands on fakes. */
export interface Services {
  sessions: SessionLibrary;
  vault: VaultService;
  sending: SendingService;
  tokens: TokenStore;
  tags: TagService;
  configuration: ConfigurationService;
  modelConfig: ModelConfigStore;
  resources: AgentResources;
  exportTickets: ExportTickets;
  shares: ShareService;
  sharedProjects: SharedProjectService;
  retention: RetentionService;
  push: PushService;
  terminals: TerminalService;
  liveSessions: LiveSessionService;
}
