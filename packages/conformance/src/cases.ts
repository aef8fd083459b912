import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { RealService } from "./real-service.ts";

/** A valid payload of a command, split into what must be there and what may be left out. */
export interface CommandCase {
  required: Record<string, unknown>;
  optional: Record<string, unknown>;
}

/**
 * A case for every command, with every field that its payload may have. Commands that write get a session that nothing
 * has touched, so that a case can be asked for as often as a test sends something.
 */
export const cases: Record<string, (service: RealService) => CommandCase | Promise<CommandCase>> = {
  ping: () => ({ required: {}, optional: {} }),
  scan_sessions: () => ({ required: {}, optional: {} }),
  list_sessions: async (service) => ({
    required: {},
    optional: {
      query: "names",
      project: "/home/user/project",
      tag_ids: ["tag"],
      favorites_only: false,
      format: "pi",
      since: "2026-01-01",
      until: "2027-02-01T00:00:00Z",
      sort: "modified",
      order: "desc",
      limit: 10,
      cursor: await nextCursor(service, "list_sessions", { limit: 1 }),
    },
  }),
  rename_session: async ({ home }) => ({ required: { path: await home.copy(), name: " New\nname " }, optional: {} }),
  delete_session: async ({ home }) => ({ required: { path: await home.copy() }, optional: { force: true } }),
  delete_sessions: async ({ home }) => ({
    required: { paths: [await home.copy(), home.missing, await home.copy(), home.outside] },
    optional: {},
  }),
  fork_session: async ({ home }) => ({ required: { path: await home.copy() }, optional: { entry_id: "b5" } }),
  read_session_file: ({ home }) => ({ required: { path: home.paths.raw }, optional: {} }),
  read_session_entries: ({ home }) => ({
    required: { path: home.paths.branched },
    optional: { leaf_id: "b5", before: "b4", after: "b1", limit: 1 },
  }),
  read_session_tree: ({ home }) => ({ required: { path: home.paths.branched }, optional: {} }),
  export_session: ({ home }) => ({
    required: { path: home.paths.branched, format: "markdown" },
    optional: { leaf_id: "b5", include_thinking: false, include_tools: false, redact: false, theme: "light" },
  }),
  search: async (service) => ({
    required: { query: "name" },
    optional: {
      role: "tool",
      project: "/home/user/project",
      since: "2026-01-01",
      until: "2027-02-01",
      tag_ids: ["tag"],
      format: "pi",
      sort: "relevance",
      limit: 5,
      cursor: await nextCursor(service, "search", { query: "name", limit: 1 }),
      per_session: 1,
    },
  }),
  list_favorites: () => ({ required: {}, optional: {} }),
  toggle_favorite: async ({ home }) => ({ required: { path: await home.copy() }, optional: {} }),
  get_all_session_dirs: () => ({ required: {}, optional: {} }),
  get_session_paths: () => ({ required: {}, optional: {} }),
  save_session_paths: async ({ home }) => {
    const further = join(home.folder, "further");
    await mkdir(further, { recursive: true });
    return { required: { paths: [further] }, optional: {} };
  },
  list_tokens: () => ({ required: {}, optional: {} }),
  create_token: () => ({
    required: { name: " Laptop " },
    optional: { scope: "read", expires_at: "2999-12-31T23:59:59+01:00" },
  }),
  revoke_token: async (service) => ({
    required: { id: (await service.ask<{ id: string }>("create_token", { name: "Phone" })).id },
    optional: {},
  }),
};

async function nextCursor(service: RealService, command: string, payload: object): Promise<string | null> {
  return (await service.ask<{ next_cursor: string | null }>(command, payload)).next_cursor;
}
