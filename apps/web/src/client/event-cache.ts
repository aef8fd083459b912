import type { ClientEvent, CommandName } from "@sm/router/client";
import type { QueryClient } from "@tanstack/react-query";
import { serviceKind } from "./service-kind.ts";
import type { SessionStore } from "./sessions.ts";

/** The key of the newest `index-progress` in the cache. */
export const INDEX_PROGRESS = ["index-progress"] as const;

/** The key of the newest `vault-verification` in the cache. */
export const VAULT_VERIFICATION = ["vault-verification"] as const;

export type VaultProgress = Extract<ClientEvent, { event: "vault-verification" }>["payload"];

/** What a change of the configuration may change the answers of. */
const CONFIGURED: ReadonlySet<string> = new Set<CommandName>([
  "get_agent_homes",
  "get_all_session_dirs",
  "get_budget",
  "get_config_bundle",
  "get_session_paths",
  "get_vault_status",
  "list_config_versions",
  "list_model_config_backups",
  "list_prompts",
  "list_skills",
  "list_tags",
  "list_themes",
  "load_model_config",
]);

/** What edits in skills, prompts and themes may change the answers of. */
const RESOURCES: ReadonlySet<string> = new Set<CommandName>([
  "list_prompts",
  "list_skills",
  "list_themes",
  "read_resource",
]);

/** Answers that no single session is named in, and that any change of one may change. */
const SUMS: ReadonlySet<string> = new Set<CommandName>([
  "get_session_stats",
  "get_vault_status",
  "list_bookmarks",
  "list_deleted_sessions",
  "list_favorites",
  "list_notes",
  "list_sessions",
]);

/** Keeps the cache true to what the service tells. */
export function applyEvent(event: ClientEvent, queries: QueryClient, sessions: SessionStore): void {
  switch (event.event) {
    case "hello":
      if (serviceKind.get() !== event.payload.kind) serviceKind.set(event.payload.kind);
      return;
    case "sessions-diff":
      sessions.apply(event.payload);
      invalidate(queries, ([name]) => SUMS.has(String(name)));
      return;
    case "session-changed": {
      const changed = new Set([...event.payload.changed_paths, ...event.payload.removed_paths]);
      invalidate(queries, ([, payload]) => changed.has(pathIn(payload)));
      return;
    }
    case "index-progress":
      queries.setQueryData(INDEX_PROGRESS, event.payload);
      return;
    case "vault-verification":
      queries.setQueryData(VAULT_VERIFICATION, event.payload);
      return;
    case "config-changed":
      invalidate(queries, ([name]) => CONFIGURED.has(String(name)));
      return;
    case "resources-changed":
      invalidate(queries, ([name]) => RESOURCES.has(String(name)));
      return;
    case "events-lost":
      void sessions.load();
      void queries.invalidateQueries();
  }
}

/** Displayed data is reloaded immediately, other data when it is displayed again. */
function invalidate(queries: QueryClient, concerns: (key: readonly unknown[]) => boolean): void {
  void queries.invalidateQueries({ predicate: ({ queryKey }) => concerns(queryKey) });
}

function pathIn(payload: unknown): string {
  if (typeof payload !== "object" || payload === null || !("path" in payload)) return "";
  return typeof payload.path === "string" ? payload.path : "";
}
