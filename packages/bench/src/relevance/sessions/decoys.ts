import { assistant, read, repeated, run, user, type WrittenSession } from "../written-session.ts";

/** Lines with the words of many topics, as big logs and lists have them. */
const INCIDENT_LINES = [
  "ERROR pool: connection pool exhausted, too many clients already, retrying in 500ms",
  "WARN auth: token expired for user 8812, clock skew 0ms, redirect to /login",
  "ERROR k8s: container resizer OOMKilled exit code 137 memory limit 256Mi",
  "INFO stripe: webhook delivered twice, idempotency key evt_1, event processed",
  "WARN ws: websocket reconnect, exponential backoff with jitter, attempt 4",
  "ERROR sqlite: database is locked SQLITE_BUSY busy_timeout wal checkpoint",
  "INFO deploy: blue green deployment switch traffic rollback helm release",
  "WARN kafka: consumer group rebalance max.poll.interval.ms lag 881234",
  "ERROR nginx: 413 request entity too large client_max_body_size uploads",
  "INFO certbot: renewal of the wildcard certificate failed dns-01 challenge",
];

const BACKLOG_LINES = [
  "- dark mode flash on load, theme from localStorage",
  "- virtual table jumps while scrolling, 50,000 rows",
  "- Maximum update depth exceeded in the filter panel",
  "- rotate the signing keys, jwks.json with two kids",
  "- flaky test after the switch to summer time (DST)",
  "- exec format error on arm64, multi-arch image",
  "- catastrophic backtracking in the regex of the linter",
  "- concurrent map writes in the registry, race detector",
  "- bloom filter before the duplicate check",
  "- quarterly billing migration, proration of upgrades",
  "- VoiceOver reads the page number twice",
  "- portrait thumbnails rotated, ffmpeg autorotate",
];

const GREP_LINES = [
  "src/users/user-repository.ts:10: async getUserName(id: string) {",
  "src/money.ts:12: export function toMinorUnits(amount: number, currency: string)",
  "scheduler/settings.py:3: def load_config_from_env(prefix: str) -> Settings:",
  "src/webhooks/stripe.ts:1: export async function handleStripeEvent(event) {",
  "src/pay/notify.ts:1: export async function handlePayNotify(payload) { // 支付回调 重复通知",
  "src/session.rs:88: let guard = self.state.lock().unwrap();",
  "charts/resizer/values.yaml:7: memory: 256Mi",
  "src/socket/reconnect.ts:4: setTimeout(connect, 1000)",
];

/** Sessions that say the words of the others, mostly in the output of tools, and are about something else. */
export const DECOY_SESSIONS: WrittenSession[] = [
  {
    id: "decoy-incident-log",
    cwd: "/home/dev/infra/cluster",
    daysAgo: 2,
    steps: [
      user("Which service writes most lines to the aggregated log?"),
      run("zcat all-services.log.gz", repeated(INCIDENT_LINES, 120)),
      assistant("All ten services write about the same amount; the aggregated log is 1,200 lines long."),
    ],
  },
  {
    id: "decoy-backlog",
    cwd: "/home/cleo/dev/dashboard",
    daysAgo: 4,
    steps: [
      user("Sort the backlog by component."),
      read("BACKLOG.md", repeated(BACKLOG_LINES, 25)),
      assistant("The backlog is sorted: interface first, then services, then build."),
    ],
  },
  {
    id: "decoy-grep-listing",
    cwd: "/home/cleo/dev/accounts",
    daysAgo: 6,
    steps: [
      user("Count the exported functions of all repositories."),
      run("rg -n 'export|def |fn ' ~/all-repositories", repeated(GREP_LINES, 60)),
      assistant("There are 480 matches in eight files."),
    ],
  },
  {
    id: "decoy-glossary",
    cwd: "/home/dev/oss/glossary",
    daysAgo: 8,
    steps: [
      user("Fix the spelling mistakes in our glossary."),
      read(
        "docs/glossary.md",
        [...INCIDENT_LINES, ...BACKLOG_LINES, "- 全文检索 与 分词", "- 文字化け と Shift_JIS", "- 부분 환불"].join(
          "\n",
        ),
      ),
      assistant("Seven spelling mistakes are corrected, for example exhausted, idempotency and rebalance."),
    ],
  },
  {
    id: "decoy-lunch-menu",
    cwd: "/home/dev/fun/lunch",
    daysAgo: 1,
    steps: [
      user("Suggest a menu: pool party on Friday, at most twelve clients, something green and something blue."),
      assistant(
        "Blue cheese with green salad, and a token dessert. The connection to the pool: serve everything cold.",
      ),
    ],
  },
];
