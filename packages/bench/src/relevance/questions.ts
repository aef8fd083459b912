/** What an agent asks its memory, and the sessions any of which answers it. */
export interface MemoryQuestion {
  question: string;
  kind: QuestionKind;
  wanted: string[];
}

export type QuestionKind = "error" | "decision" | "place" | "earlier work" | "other words";

/** Written before any of them was asked, so that they measure the memory and not themselves. */
export const MEMORY_QUESTIONS: readonly MemoryQuestion[] = [
  // Whole lines as tools print them, or what somebody says around them.
  { kind: "error", question: "FATAL: sorry, too many clients already", wanted: ["connection-pool-exhausted"] },
  {
    kind: "error",
    question: 'Have we seen this error: prepared statement "s1" does not exist',
    wanted: ["pgbouncer-prepared-statements"],
  },
  {
    kind: "error",
    question: "error[E0502]: cannot borrow `*self` as mutable because it is also borrowed as immutable",
    wanted: ["rust-mutable-borrow"],
  },
  { kind: "error", question: "did we ever get fatal error: concurrent map writes", wanted: ["go-concurrent-map"] },
  {
    kind: "error",
    question:
      "Have we seen this before? UnicodeDecodeError: 'utf-8' codec can't decode byte 0xff in position 0: invalid start byte",
    wanted: ["unicode-decode-bom"],
  },
  {
    kind: "error",
    question: "sqlite3.OperationalError: database is locked",
    wanted: ["sqlite-database-locked"],
  },
  {
    kind: "error",
    question: "error TS2742: The inferred type of 'api' cannot be named without a reference to '.pnpm/zod'",
    wanted: ["typescript-declaration-emit"],
  },
  {
    kind: "error",
    question: 'TypeError [ERR_UNKNOWN_FILE_EXTENSION]: Unknown file extension ".ts" for /srv/app/loader.ts',
    wanted: ["node-upgrade"],
  },
  { kind: "error", question: "exec /usr/bin/server: exec format error", wanted: ["exec-format-error"] },
  {
    kind: "error",
    question: "Error: UPGRADE FAILED: another operation (install/upgrade/rollback) is in progress",
    wanted: ["helm-rollback-stuck"],
  },
  {
    kind: "error",
    question: "what did we do about 413 Request Entity Too Large on uploads?",
    wanted: ["nginx-body-too-large"],
  },
  { kind: "error", question: "550 5.7.1 messages weren't sent outlook bounce", wanted: ["smtp-bounces"] },
  {
    kind: "error",
    question: 'JWTExpired: "exp" claim timestamp check failed at verify (/srv/node_modules/jose/index.js:40:11)',
    wanted: ["jwt-clock-skew"],
  },
  {
    kind: "error",
    question:
      "Uncaught Error: Maximum update depth exceeded. This can happen when a component calls setState in useEffect",
    wanted: ["react-update-depth"],
  },
  { kind: "error", question: "Last State: Terminated, Reason: OOMKilled, Exit Code: 137", wanted: ["pods-oom-killed"] },
  { kind: "error", question: "AssertionError: expected 9 to be 10 in recurrence.test.ts", wanted: ["flaky-test-dst"] },
  {
    kind: "error",
    question: "Challenge failed for domain shop.example.net: NXDOMAIN looking up TXT for _acme-challenge",
    wanted: ["certificate-renewal-handover"],
  },
  { kind: "error", question: "MemoryError when pandas reads a parquet folder", wanted: ["parquet-out-of-memory"] },

  // Why something is as it is.
  {
    kind: "decision",
    question: "Why did we choose a trigger instead of event sourcing for the audit trail?",
    wanted: ["event-sourcing-considered"],
  },
  {
    kind: "decision",
    question: "why did we abandon native HTML5 drag and drop on the dashboard?",
    wanted: ["drag-and-drop-abandoned"],
  },
  {
    kind: "decision",
    question: "Why are prepared statements turned off in our database pool?",
    wanted: ["pgbouncer-prepared-statements"],
  },
  {
    kind: "decision",
    question: "What did we decide about which wins, the config file or the environment?",
    wanted: ["config-from-environment"],
  },
  {
    kind: "decision",
    question: "why does our session cookie use SameSite=Lax and not Strict?",
    wanted: ["login-redirect-loop"],
  },
  { kind: "decision", question: "reason for max.poll.records=50 in the consumer", wanted: ["kafka-rebalance-storm"] },
  {
    kind: "decision",
    question: "Why did we replace the fixed window of the rate limiter?",
    wanted: ["rate-limiter-sliding"],
  },
  { kind: "decision", question: "how was the retry budget supposed to work?", wanted: ["retry-budget-design"] },
  {
    kind: "decision",
    question: "why does the reconnect wait a random time with exponential backoff",
    wanted: ["websocket-reconnect-backoff"],
  },
  { kind: "decision", question: "Why is the memory limit of the resizer 768Mi?", wanted: ["pods-oom-killed"] },
  {
    kind: "decision",
    question: "what was the rationale for rounding half even on invoice totals",
    wanted: ["rounding-of-cents"],
  },
  {
    kind: "decision",
    question: "Why do we drop WebSocket frames for slow clients?",
    wanted: ["websocket-slow-consumer"],
  },

  // Where something is.
  {
    kind: "place",
    question: "where is the function that converts amounts to minor units?",
    wanted: ["rounding-of-cents"],
  },
  {
    kind: "place",
    question: "Where is handleStripeEvent defined and who changed it?",
    wanted: ["webhook-delivered-twice"],
  },
  { kind: "place", question: "Which file has load_config_from_env?", wanted: ["config-from-environment"] },
  {
    kind: "place",
    question: "what happened to getUserName in the user repository",
    wanted: ["rename-user-lookup"],
  },
  { kind: "place", question: "where do we rotate the JWT signing keys, jwks.ts?", wanted: ["jwt-key-rotation"] },
  { kind: "place", question: "Where is the RotatingFilter struct?", wanted: ["bloom-filter-thought"] },
  { kind: "place", question: "In which pipeline file is the shift-traffic step?", wanted: ["blue-green-automated"] },
  { kind: "place", question: "where is clientMaxBodySize configured for nginx", wanted: ["nginx-body-too-large"] },
  { kind: "place", question: "src/table/VirtualRows.tsx estimateSize change", wanted: ["virtual-table-jumps"] },
  { kind: "place", question: "handlePayNotify 幂等 是在哪个文件处理的？", wanted: ["zh-order-callback"] },

  // What was done.
  {
    kind: "earlier work",
    question: "Has anyone worked on the login redirect loop in Safari?",
    wanted: ["login-redirect-loop"],
  },
  {
    kind: "earlier work",
    question: "How did we fix customers being charged twice by Stripe webhooks?",
    wanted: ["webhook-delivered-twice"],
  },
  {
    kind: "earlier work",
    question: "what is the status of the quarterly billing migration?",
    wanted: ["billing-migration-named"],
  },
  {
    kind: "earlier work",
    question: "Did we already do the monthly dependency update, and were there breaking changes?",
    wanted: [2, 32, 62, 92, 122].map((daysAgo) => `dependency-update-${daysAgo}`),
  },
  {
    kind: "earlier work",
    question: "How did we get rid of the white flash in dark mode?",
    wanted: ["dark-mode-flash"],
  },
  {
    kind: "earlier work",
    question: "previous work on rotated thumbnails of portrait videos (ffmpeg autorotate)",
    wanted: ["video-thumbnails"],
  },
  {
    kind: "earlier work",
    question: "Is there a handover about the wildcard certificate for Priya?",
    wanted: ["certificate-renewal-handover"],
  },
  {
    kind: "earlier work",
    question: "How was the catastrophic backtracking in the linter solved?",
    wanted: ["regex-backtracking"],
  },
  { kind: "earlier work", question: "网关 内存泄漏 之前是怎么修复的", wanted: ["zh-memory-leak"] },
  {
    kind: "earlier work",
    question: "Which replication slot was holding back pg_wal on the primary?",
    wanted: ["disk-full-of-wal"],
  },
  {
    kind: "earlier work",
    question: "what did the user want for undo after a paste in the sketch app?",
    wanted: ["undo-stack"],
  },
  {
    kind: "earlier work",
    question: "tokio relay hangs: std Mutex guard held across await in session.rs",
    wanted: ["tokio-deadlock"],
  },

  // Partly in words that the session does not have.
  {
    kind: "other words",
    question: "application freezes because a mutex is locked over an await point",
    wanted: ["tokio-deadlock"],
  },
  {
    kind: "other words",
    question: "GitHub Actions pipeline is slow since it re-downloads npm dependencies on each run, caching broken",
    wanted: ["actions-cache-miss"],
  },
  {
    kind: "other words",
    question: "users see stale balance right after writing because the replica lags behind",
    wanted: ["replica-lag-reads"],
  },
  {
    kind: "other words",
    question: "JWT rejected since the servers' clocks differ (clock drift, NTP, chrony)",
    wanted: ["jwt-clock-skew"],
  },
  {
    kind: "other words",
    question: "infrastructure drift after a manual edit of a security group in the AWS console",
    wanted: ["terraform-drift"],
  },
  {
    kind: "other words",
    question: "screen reader announces page number twice and omits the heading, iOS VoiceOver bug",
    wanted: ["swift-accessibility"],
  },
  {
    kind: "other words",
    question: "LiveView server memory usage keeps climbing when scrolling long lists",
    wanted: ["elixir-liveview-leak"],
  },
  {
    kind: "other words",
    question: "SQLite write-ahead log file huge, never shrinks, long running reader",
    wanted: ["sqlite-wal-grows"],
  },
];
