import { SAMPLE_PATH } from "./sample-library.ts";

/** A valid payload of a command, split into what must be there and what may be left out. */
export interface CommandCase {
  required: Record<string, unknown>;
  optional: Record<string, unknown>;
}

const path = SAMPLE_PATH;

/** A case for every command, with every field that its payload may have. */
export const cases: Record<string, CommandCase> = {
  ping: { required: {}, optional: {} },
  scan_sessions: { required: {}, optional: {} },
  list_sessions: {
    required: {},
    optional: {
      query: "project",
      project: "/home/user/project",
      tag_ids: ["tag"],
      favorites_only: true,
      format: "pi",
      since: "2026-01-01",
      until: "2026-02-01T00:00:00Z",
      sort: "cost",
      order: "asc",
      limit: 10,
      cursor: "next",
    },
  },
  rename_session: { required: { path, name: "New name" }, optional: {} },
  delete_session: { required: { path }, optional: { force: true } },
  delete_sessions: { required: { paths: [path, "/sessions/missing.jsonl"] }, optional: {} },
  fork_session: { required: { path }, optional: { entry_id: "e1" } },
  read_session_file: { required: { path }, optional: {} },
  read_session_entries: { required: { path }, optional: { leaf_id: "e1", before: "e2", after: "e0", limit: 5 } },
  read_session_tree: { required: { path }, optional: {} },
  export_session: {
    required: { path, format: "markdown" },
    optional: { leaf_id: "e1", include_thinking: false, include_tools: false, redact: false, theme: "light" },
  },
  search: {
    required: { query: "“things”" },
    optional: {
      role: "assistant",
      project: "/home/user/project",
      since: "2026-01-01",
      until: "2026-02-01",
      tag_ids: ["tag"],
      format: "pi",
      sort: "newest",
      limit: 5,
      cursor: "next",
      per_session: 1,
    },
  },
  list_favorites: { required: {}, optional: {} },
  toggle_favorite: { required: { path }, optional: {} },
  get_all_session_dirs: { required: {}, optional: {} },
};
