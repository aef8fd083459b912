/** A search and the sessions that somebody who types it wants to see. */
export interface RelevanceQuery {
  /** `{90}` stands for the date 90 days before the run. */
  query: string;
  /** What makes it a search of its own kind. */
  kind: QueryKind;
  /** Any of these on top is right. */
  wanted: string[];
  /** These belong among the first ten too. */
  related?: string[];
}

export type QueryKind =
  | "remembered words"
  | "identifier"
  | "file"
  | "error message"
  | "phrase"
  | "prefix"
  | "substring"
  | "field"
  | "or"
  | "without"
  | "date"
  | "rivals"
  | "cjk"
  | "accents"
  | "name";

/** Written before any of them was run, so that they measure the ranking and not themselves. */
export const RELEVANCE_QUERIES: readonly RelevanceQuery[] = [
  // What people remember of a session, some days or months later.
  { kind: "remembered words", query: "token expired login", wanted: ["jwt-clock-skew"] },
  { kind: "remembered words", query: "clock skew", wanted: ["jwt-clock-skew"] },
  { kind: "remembered words", query: "rotate signing keys", wanted: ["jwt-key-rotation"] },
  { kind: "remembered words", query: "redirect loop safari", wanted: ["login-redirect-loop"] },
  { kind: "remembered words", query: "connection pool exhausted", wanted: ["connection-pool-exhausted"] },
  { kind: "remembered words", query: "pgbouncer prepared", wanted: ["pgbouncer-prepared-statements"] },
  { kind: "remembered words", query: "webhook delivered twice", wanted: ["webhook-delivered-twice"] },
  { kind: "remembered words", query: "charged twice", wanted: ["webhook-delivered-twice"] },
  { kind: "remembered words", query: "invoice totals cent", wanted: ["rounding-of-cents"] },
  { kind: "remembered words", query: "consumer group rebalances", wanted: ["kafka-rebalance-storm"] },
  {
    kind: "remembered words",
    query: "blue green deployment",
    wanted: ["blue-green-automated"],
    related: ["blue-green-first-attempt"],
  },
  { kind: "remembered words", query: "cache key lockfile", wanted: ["actions-cache-miss"] },
  { kind: "remembered words", query: "switch summer time DST", wanted: ["flaky-test-dst"] },
  { kind: "remembered words", query: "dark mode flashes", wanted: ["dark-mode-flash"] },
  { kind: "remembered words", query: "table jumps scroll", wanted: ["virtual-table-jumps"] },
  { kind: "remembered words", query: "exponential backoff jitter", wanted: ["websocket-reconnect-backoff"] },
  { kind: "remembered words", query: "slow browser tab memory", wanted: ["websocket-slow-consumer"] },
  { kind: "remembered words", query: "portrait thumbnails rotated", wanted: ["video-thumbnails"] },
  { kind: "remembered words", query: "bloom filter redis", wanted: ["bloom-filter-thought"] },
  { kind: "remembered words", query: "event sourcing", wanted: ["event-sourcing-considered"] },
  { kind: "remembered words", query: "native drag and drop ghost image", wanted: ["drag-and-drop-abandoned"] },
  { kind: "remembered words", query: "grandfathered accounts backfill", wanted: ["billing-migration-named"] },
  { kind: "remembered words", query: "handover wildcard certificate", wanted: ["certificate-renewal-handover"] },
  { kind: "remembered words", query: "checkpoint starvation", wanted: ["sqlite-wal-grows"] },
  { kind: "remembered words", query: "wal disk alarm", wanted: ["disk-full-of-wal"] },
  { kind: "remembered words", query: "deadlock await mutex", wanted: ["tokio-deadlock"] },
  { kind: "remembered words", query: "surrogate pair grapheme", wanted: ["icon-font-emoji"] },
  { kind: "remembered words", query: "terraform plan refresh-only", wanted: ["terraform-drift"] },

  { kind: "remembered words", query: "safari login", wanted: ["login-redirect-loop"] },
  { kind: "remembered words", query: "disk usage primary", wanted: ["disk-full-of-wal"] },
  { kind: "remembered words", query: "pricing slow", wanted: ["retry-budget-design"] },
  { kind: "remembered words", query: "off by one cent", wanted: ["rounding-of-cents"] },
  { kind: "remembered words", query: "scroll up", wanted: ["virtual-table-jumps"] },
  { kind: "remembered words", query: "sharp cache", wanted: ["pods-oom-killed"] },
  { kind: "remembered words", query: "data race goroutine", wanted: ["go-concurrent-map"] },

  // Identifiers, in the spelling of the code or another, whole or in part.
  { kind: "identifier", query: "getUserName", wanted: ["rename-user-lookup"] },
  { kind: "identifier", query: "fetch_display_name", wanted: ["rename-user-lookup"] },
  { kind: "identifier", query: "tominorunits", wanted: ["rounding-of-cents"] },
  { kind: "identifier", query: "loadConfigFromEnv", wanted: ["config-from-environment"] },
  { kind: "identifier", query: "handle-stripe-event", wanted: ["webhook-delivered-twice"] },
  { kind: "identifier", query: "RotatingFilter", wanted: ["bloom-filter-thought"] },
  { kind: "identifier", query: "v20.11.1", wanted: ["node-upgrade"] },
  { kind: "identifier", query: "client_max_body_size", wanted: ["nginx-body-too-large"] },

  // Files that were read or changed.
  { kind: "file", query: "file:src/money.ts", wanted: ["rounding-of-cents"] },
  { kind: "file", query: "file:src/session.rs", wanted: ["tokio-deadlock"] },
  { kind: "file", query: "file:nginx/conf.d/uploads.conf", wanted: ["nginx-body-too-large"] },
  { kind: "file", query: "FilterPanel.tsx", wanted: ["react-update-depth"] },
  { kind: "file", query: "reconnect.ts exponentially", wanted: ["websocket-reconnect-backoff"] },

  // Messages, pasted as they were printed.
  { kind: "error message", query: '"sorry, too many clients already"', wanted: ["connection-pool-exhausted"] },
  { kind: "error message", query: "fatal error: concurrent map writes", wanted: ["go-concurrent-map"] },
  { kind: "error message", query: "error[E0502]", wanted: ["rust-mutable-borrow"] },
  { kind: "error message", query: '"Maximum update depth exceeded"', wanted: ["react-update-depth"] },
  { kind: "error message", query: "exec format error", wanted: ["exec-format-error"] },
  { kind: "error message", query: "TS2742", wanted: ["typescript-declaration-emit"] },
  { kind: "error message", query: "can't decode byte 0xff in position 0", wanted: ["unicode-decode-bom"] },
  { kind: "phrase", query: '"database is locked"', wanted: ["sqlite-database-locked"] },
  { kind: "phrase", query: '"idle in transaction"', wanted: ["connection-pool-exhausted"] },

  { kind: "error message", query: "expected 9 to be 10 keeps the hour", wanted: ["flaky-test-dst"] },
  { kind: "error message", query: "550 5.7.1", wanted: ["smtp-bounces"] },
  { kind: "phrase", query: '"two target groups"', wanted: ["blue-green-first-attempt"] },

  // Pieces of words.
  { kind: "prefix", query: "catastroph* backtrack*", wanted: ["regex-backtracking"] },
  { kind: "substring", query: "~onedDateT", wanted: ["flaky-test-dst"] },
  { kind: "substring", query: "~layName", wanted: ["rename-user-lookup"] },
  { kind: "substring", query: "~5.7.1", wanted: ["smtp-bounces"] },
  { kind: "substring", query: "~wait_holding", wanted: ["tokio-deadlock"] },

  // Operators and fields.
  { kind: "or", query: "graviton OR arm64", wanted: ["exec-format-error"] },
  {
    kind: "or",
    query: '"database is locked" OR "checkpoint starvation"',
    wanted: ["sqlite-database-locked", "sqlite-wal-grows"],
  },
  { kind: "without", query: "reconnect server -jitter", wanted: ["websocket-reconnect-backoff"] },
  { kind: "without", query: "role:user deployment switch -terraform", wanted: ["blue-green-automated"] },
  { kind: "field", query: "tool:bash OOMKilled", wanted: ["pods-oom-killed"], related: ["decoy-incident-log"] },
  { kind: "field", query: "role:user parquet", wanted: ["parquet-out-of-memory"] },
  { kind: "field", query: "project:/home/sato/code/kanri 下書き", wanted: ["ja-session-timeout"] },
  { kind: "field", query: "is:favorite certificate", wanted: ["certificate-renewal-handover"] },
  { kind: "field", query: "is:favorite", wanted: ["certificate-renewal-handover"] },
  { kind: "field", query: 'role:user "too many clients"', wanted: ["connection-pool-exhausted"] },
  { kind: "field", query: "project:/home/ben/src/ledger migration", wanted: ["undo-migration"] },
  { kind: "field", query: "model:claude-sonnet-4-5 amd64", wanted: ["exec-format-error"] },
  { kind: "field", query: "file:*.rs lock", wanted: ["tokio-deadlock"] },
  { kind: "date", query: "deployment gateway before:{200}", wanted: ["blue-green-first-attempt"] },
  { kind: "date", query: "signing keys after:{50} before:{30}", wanted: ["jwt-key-rotation"] },
  { kind: "date", query: "wildcard certificate after:7d", wanted: ["certificate-renewal-handover"] },
  { kind: "date", query: "accessibility OR VoiceOver after:{75} before:{60}", wanted: ["swift-accessibility"] },

  // Words that others say too: more often, in fewer words, farther apart, long ago, or as a matter of course.
  {
    kind: "rivals",
    query: "dependency update breaking",
    wanted: ["dependency-update-2"],
    related: ["dependency-update-32", "dependency-update-62", "dependency-update-92", "dependency-update-122"],
  },
  { kind: "rivals", query: "retry budget", wanted: ["retry-budget-design"] },
  { kind: "rivals", query: "read replica lag", wanted: ["replica-lag-reads"] },
  {
    kind: "rivals",
    query: "rate limit",
    wanted: ["rate-limiter-sliding"],
    related: ["rate-limiter-first"],
  },
  { kind: "rivals", query: "rate limit fixed window", wanted: ["rate-limiter-first"] },
  { kind: "rivals", query: "search ranking", wanted: ["search-ranking-named"], related: ["search-ranking-mentioned"] },
  { kind: "rivals", query: "undo stack", wanted: ["undo-stack"], related: ["undo-migration"] },
  { kind: "rivals", query: "undo migration", wanted: ["undo-migration"] },
  { kind: "rivals", query: "user-repository.ts", wanted: ["rename-user-lookup"], related: ["decoy-grep-listing"] },
  { kind: "rivals", query: "toMinorUnits", wanted: ["rounding-of-cents"], related: ["decoy-grep-listing"] },
  { kind: "rivals", query: "wildcard certificate renewal", wanted: ["certificate-renewal-handover"] },
  { kind: "rivals", query: "connection pool", wanted: ["connection-pool-exhausted"] },
  {
    kind: "rivals",
    query: "migration",
    wanted: ["undo-migration", "billing-migration-named"],
  },
  { kind: "rivals", query: "undo", wanted: ["undo-stack", "undo-migration"] },
  { kind: "rivals", query: "deployment", wanted: ["blue-green-automated"], related: ["blue-green-first-attempt"] },
  { kind: "rivals", query: "certificate", wanted: ["certificate-renewal-handover"] },
  { kind: "rivals", query: "excel bom", wanted: ["ja-csv-garbled"] },
  { kind: "rivals", query: "undo paste shape", wanted: ["undo-stack"] },

  // Other languages.
  { kind: "cjk", query: "支付回调", wanted: ["zh-order-callback"] },
  { kind: "cjk", query: "量子计算机", wanted: ["zh-word-segmentation"] },
  { kind: "cjk", query: "内存泄漏 网关", wanted: ["zh-memory-leak"] },
  { kind: "cjk", query: "文字化け", wanted: ["ja-csv-garbled"] },
  { kind: "cjk", query: "自動保存", wanted: ["ja-session-timeout"] },
  { kind: "cjk", query: "부분 환불", wanted: ["ko-refund"] },
  { kind: "accents", query: "uberweisung umlauten", wanted: ["de-transfer-umlauts"] },
  { kind: "accents", query: "resume francois", wanted: ["fr-resume-upload"] },
  { kind: "accents", query: "🚀", wanted: ["icon-font-emoji"] },

  // What the user called a session, or an entry.
  { kind: "name", query: "quarterly billing migration", wanted: ["billing-migration-named"] },
  { kind: "name", query: "name:node", wanted: ["node-upgrade"] },
  { kind: "name", query: "VoiceOver fixes", wanted: ["swift-accessibility"] },
  { kind: "name", query: "drift resolved", wanted: ["terraform-drift"] },
  { kind: "name", query: "backpressure done", wanted: ["websocket-slow-consumer"] },
];
