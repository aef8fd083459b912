import { AppError, type SessionLibrary, type SessionRecord } from "@sm/core";

export const SAMPLE_PATH = "/sessions/2026-01-02T03-04-05-000Z_sample.jsonl";

const SAMPLE_RECORD: SessionRecord = {
  path: SAMPLE_PATH,
  id: "sample",
  format: "pi",
  name: null,
  title: "Größe of “things”",
  cwd: "/home/user/project",
  created_at: "2026-01-02T03:04:05.000Z",
  modified_at: "2026-01-02T03:05:00.000Z",
  size_bytes: 1_234,
  message_count: 2,
  user_message_count: 1,
  assistant_message_count: 1,
  tool_call_count: 0,
  first_message: "Größe of “things”",
  last_message: "Done.",
  last_role: "assistant",
  models: ["model-1"],
  providers: ["provider-1"],
  usage: {
    input_tokens: 10,
    output_tokens: 20,
    cache_read_tokens: 0,
    cache_write_tokens: 0,
    total_tokens: 30,
    cost_usd: 0.1,
  },
  branch_count: 1,
  parent_session_path: null,
  tag_ids: [],
  is_favorite: false,
  is_live: false,
  malformed_lines: 0,
  indexed: true,
};

/** Makes a library of one session, held in memory. Other paths are `NOT_FOUND`. */
export function sampleLibrary(): SessionLibrary {
  const favorites = new Set<string>();
  const record = { ...SAMPLE_RECORD };

  const find = (path: string): SessionRecord => {
    if (path !== SAMPLE_PATH) throw new AppError("NOT_FOUND", "There is no session at this path.");
    return { ...record, is_favorite: favorites.has(path) };
  };

  return {
    scan: async () => [find(SAMPLE_PATH)],
    list: async () => ({ sessions: [find(SAMPLE_PATH)], next_cursor: "next", total: 2, pending: 1 }),
    readText: async (path) => `${JSON.stringify({ type: "session", id: find(path).id })}\n\u2028\n`,
    async readEntries({ path }) {
      find(path);
      return {
        header: { type: "session", id: "sample" },
        entries: [{ type: "message", id: "e1", parentId: null, message: { role: "user", content: "\ud800" } }],
        leaf_id: "e1",
        leaves: ["e1"],
        labels: { e1: "start" },
        total: 1,
        has_more_before: false,
        has_more_after: false,
      };
    },
    async readTree(path) {
      find(path);
      return [
        { id: "e1", parent_id: null, type: "message", role: "user", preview: "Hello", timestamp: null, label: "start" },
      ];
    },
    async rename(path, name) {
      find(path);
      record.name = name === "" ? null : name;
      return find(path);
    },
    delete: async (path) => ({ path: find(path).path, method: "trash" }),
    fork: async (path) => ({ ...find(path), id: "fork", parent_session_path: path }),
    async export({ path, format }) {
      find(path);
      return { format, file_name: "sample.md", media_type: "text/markdown; charset=utf-8", content: "# Session\n" };
    },
    async exportStream({ path }) {
      find(path);
      const chunks = (async function* () {
        yield new TextEncoder().encode("# Session\n");
      })();
      return { file_name: "sample.md", media_type: "text/markdown; charset=utf-8", chunks };
    },
    async search({ query }) {
      return {
        hits: [
          {
            session_path: SAMPLE_PATH,
            session_id: "sample",
            session_title: record.title,
            cwd: record.cwd,
            entry_id: "e1",
            role: "user",
            kind: "text",
            tool_name: null,
            timestamp: record.modified_at,
            snippet: query,
            highlights: [[0, query.length]],
            score: 1.5,
          },
        ],
        total: 1,
        total_is_exact: true,
        next_cursor: null,
        took_ms: 1,
        indexing: { done: 1, pending: 0 },
      };
    },
    async toggleFavorite(path) {
      find(path);
      if (!favorites.delete(path)) favorites.add(path);
      return { path, is_favorite: favorites.has(path) };
    },
    favorites: async () => [...favorites],
    directories: async () => ["/sessions"],
    status: () => ({ state: "ready", reason: null, sessions: 1, pending: 0, bytes_done: 0, bytes_total: 0 }),
  };
}
