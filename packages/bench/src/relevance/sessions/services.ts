import {
  assistant,
  compaction,
  edit,
  named,
  read,
  run,
  think,
  tool,
  user,
  type WrittenSession,
} from "../written-session.ts";

/** Back ends: authentication, databases, payments, queues. */
export const SERVICE_SESSIONS: WrittenSession[] = [
  {
    id: "jwt-clock-skew",
    cwd: "/home/ana/code/checkout",
    daysAgo: 14,
    steps: [
      user(
        "Some customers are logged out right after login, the API says the token is expired although it is seconds old.",
      ),
      run(
        "kubectl logs deploy/checkout-api | grep -i token | tail -3",
        'JWTExpired: "exp" claim timestamp check failed\nJWTExpired: "exp" claim timestamp check failed\n',
      ),
      think(
        "Tokens live five minutes. If the issuing node runs ahead, nbf and exp are both off. Compare the clocks first.",
      ),
      run("for h in node-1 node-2; do ssh $h date +%s.%N; done", "1767711662.10\n1767711981.44\n"),
      assistant(
        "node-2 runs more than five minutes ahead: chrony is stopped there. This is clock skew, not an expired session.",
      ),
      edit("src/auth/verify-token.ts", "jwtVerify(token, key)", "jwtVerify(token, key, { clockTolerance: 30 })"),
      assistant("I restarted chronyd and gave `jwtVerify` a tolerance of 30 seconds for clock skew."),
    ],
  },
  {
    id: "jwt-key-rotation",
    cwd: "/home/ana/code/checkout",
    daysAgo: 40,
    steps: [
      user("We have to rotate the signing keys every 90 days. How do we do that without invalidating every token?"),
      assistant(
        "Publish both keys under /.well-known/jwks.json with different `kid`s, sign with the new one, and drop the old one after the longest token lifetime.",
      ),
      edit("src/auth/jwks.ts", "keys: [current]", "keys: [current, ...retiring]"),
      run(
        "npm test -- src/auth/jwks.test.ts",
        " ✓ serves the retiring key until its tokens are gone\n ✓ signs with the newest kid\n",
      ),
      assistant("Key rotation works: tokens that were signed with the retiring key verify until they run out."),
    ],
  },
  {
    id: "login-redirect-loop",
    cwd: "/home/ana/code/portal",
    daysAgo: 25,
    steps: [
      user("After the move to the new domain Safari is stuck in a redirect loop between /login and /callback."),
      run(
        "curl -sI https://portal.example.net/callback | grep -i set-cookie",
        "set-cookie: sid=1; Path=/; HttpOnly; SameSite=Strict\n",
      ),
      assistant(
        "The session cookie is SameSite=Strict, so it is not sent when the identity provider redirects back. Safari then starts the login again.",
      ),
      edit("server/session-cookie.ts", 'sameSite: "strict"', 'sameSite: "lax", secure: true'),
      assistant("With SameSite=Lax the loop is gone in Safari and in Firefox."),
    ],
  },
  {
    id: "connection-pool-exhausted",
    cwd: "/home/ben/src/ledger",
    daysAgo: 9,
    steps: [
      user(
        "Production throws `FATAL: sorry, too many clients already` every day at nine. What uses up the connections?",
      ),
      run(
        'psql -c "select state, count(*) from pg_stat_activity group by 1"',
        " state               | count\n idle in transaction |    87\n active              |     6\n",
      ),
      assistant(
        "87 connections are idle in transaction: the nightly report opens one per tenant and keeps it while it renders PDFs.",
      ),
      edit(
        "src/reports/render-all.ts",
        "await withTransaction(renderTenant)",
        "const rows = await withTransaction(loadTenant);\nawait renderTenant(rows)",
      ),
      assistant(
        "The transaction now ends before rendering. Connection pool exhausted errors should stop; I also set idle_in_transaction_session_timeout to 60 s.",
      ),
    ],
  },
  {
    id: "pgbouncer-prepared-statements",
    cwd: "/home/ben/src/ledger",
    daysAgo: 60,
    steps: [
      user('Since we put pgbouncer in front, we get `prepared statement "s1" does not exist`.'),
      assistant(
        "In transaction pooling each transaction may land on another server connection, where the statement was never prepared.",
      ),
      edit("src/database/pool.ts", "new Pool(options)", "new Pool({ ...options, prepare: false })"),
      assistant(
        "Named prepared statements are off now. pgbouncer 1.21 can track them itself with max_prepared_statements; worth an upgrade later.",
      ),
    ],
  },
  {
    id: "webhook-delivered-twice",
    cwd: "/home/ana/code/checkout",
    daysAgo: 33,
    steps: [
      user(
        "Customers were charged twice last night. Stripe says it delivered the webhook two times because we answered too late.",
      ),
      read(
        "src/webhooks/stripe.ts",
        "export async function handleStripeEvent(event) {\n  await chargeOrder(event.data.object.metadata.order);\n  return ok();\n}",
      ),
      assistant(
        "`handleStripeEvent` has no memory of what it has seen. I add a table of processed event ids and make the handler idempotent.",
      ),
      run(
        "cat migrations/0041_processed_events.sql",
        "create table processed_events (event_id text primary key, received_at timestamptz not null default now());",
      ),
      edit(
        "src/webhooks/stripe.ts",
        "await chargeOrder(",
        "if (!(await markProcessed(event.id))) return ok();\n  await chargeOrder(",
      ),
      assistant(
        "A second delivery of the same event is now acknowledged and ignored. The idempotency key of the charge is the order id.",
      ),
    ],
  },
  {
    id: "rounding-of-cents",
    cwd: "/home/ana/code/checkout",
    daysAgo: 71,
    steps: [
      user("Invoice totals are off by one cent against the sum of the lines. Where do we round?"),
      run(
        "grep -rn toMinorUnits src | head",
        "src/money.ts:12:export function toMinorUnits(amount: number, currency: string)\nsrc/invoice/total.ts:30:  return toMinorUnits(net * (1 + vat), currency)\n",
      ),
      assistant(
        "`toMinorUnits` rounds each line half up and the total again. Bankers' rounding of the total alone fixes it; line amounts stay exact decimals.",
      ),
      edit("src/money.ts", "Math.round(amount * 100)", "roundHalfEven(new Decimal(amount).times(100))"),
      assistant("Totals match now for all 12,000 invoices of last year."),
    ],
  },
  {
    id: "kafka-rebalance-storm",
    cwd: "/home/ben/src/ingest",
    daysAgo: 18,
    steps: [
      user("The consumer group rebalances every minute and the lag keeps growing."),
      run(
        "kafka-consumer-groups --describe --group ingest",
        "GROUP   TOPIC   PARTITION  LAG\ningest  events  0          881234\n",
      ),
      assistant(
        "Processing one batch takes longer than max.poll.interval.ms (5 minutes), so the broker considers the consumer dead and rebalances.",
      ),
      edit(
        "config/consumer.properties",
        "max.poll.records=500",
        "max.poll.records=50\npartition.assignment.strategy=CooperativeStickyAssignor",
      ),
      assistant(
        "Smaller batches and cooperative sticky assignment: no rebalance in the last hour, the lag is shrinking.",
      ),
    ],
  },
  {
    id: "smtp-bounces",
    cwd: "/home/ben/src/notifier",
    daysAgo: 52,
    steps: [
      user("Our password mails to outlook.com bounce with 550 5.7.1."),
      run(
        "swaks --to postmaster@outlook.com --server mx1",
        "<** 550 5.7.1 Unfortunately, messages from [203.0.113.9] weren't sent. Please contact your Internet service provider",
      ),
      assistant("The relay's address has no PTR record and the SPF record does not list it. DKIM is fine."),
      tool(
        "write",
        { path: "dns/example.net.zone", content: '@ TXT "v=spf1 ip4:203.0.113.9 -all"' },
        "Successfully wrote 37 bytes",
      ),
      assistant("With SPF and reverse DNS in place the mails are delivered again."),
    ],
  },
  {
    id: "rename-user-lookup",
    cwd: "/home/cleo/dev/accounts",
    daysAgo: 5,
    steps: [
      user("Rename getUserName to fetchDisplayName everywhere, it does a network call and the name hides that."),
      run(
        "rg -l getUserName",
        "src/users/user-repository.ts\nsrc/views/profile-card.tsx\nsrc/views/profile-card.test.tsx\n",
      ),
      edit("src/users/user-repository.ts", "async getUserName(id: string)", "async fetchDisplayName(id: string)"),
      edit("src/views/profile-card.tsx", "repository.getUserName(id)", "repository.fetchDisplayName(id)"),
      assistant("`fetchDisplayName` is in place in three files; the deprecated alias is gone and the tests pass."),
    ],
  },
  {
    id: "config-from-environment",
    cwd: "/home/cleo/dev/scheduler",
    daysAgo: 84,
    steps: [
      user("The worker ignores LOG_LEVEL from the environment when a config file exists. Which one should win?"),
      read(
        "scheduler/settings.py",
        "def load_config_from_env(prefix: str) -> Settings:\n    ...\n\ndef merge_settings(file: Settings, env: Settings) -> Settings:\n    return {**env, **file}",
      ),
      assistant(
        "`merge_settings` lets the file win. By convention the environment is the stronger one, so I swap the two.",
      ),
      edit("scheduler/settings.py", "return {**env, **file}", "return {**file, **env}"),
      assistant(
        "Order of precedence now: command line, environment, file, defaults. It is written down in the docstring of `load_config_from_env`.",
      ),
    ],
  },
  {
    id: "event-sourcing-considered",
    cwd: "/home/ben/src/ledger",
    daysAgo: 110,
    steps: [
      user("How should we keep an audit trail of balance changes?"),
      think(
        "Event sourcing would give the trail for free, but nobody on the team has run it; a trigger that writes an audit table is boring and enough.",
      ),
      assistant(
        "A trigger on `balances` that writes old and new row into `balance_history`. Simple, and it cannot be forgotten by application code.",
      ),
      user("Fine. And please keep it append only."),
      assistant("Done: the application role has INSERT and SELECT on `balance_history`, nothing else."),
    ],
  },
  {
    id: "billing-migration-named",
    cwd: "/home/ana/code/checkout",
    daysAgo: 47,
    steps: [
      user("Let's go on where we stopped on Friday."),
      named("Quarterly billing migration"),
      run("git status --short", " M src/plans/proration.ts\n M src/plans/proration.test.ts\n"),
      assistant(
        "Two files are open. The proration of mid-month upgrades still rounds the wrong way; I fix that first.",
      ),
      compaction(
        "## Goal\nMove all customers from monthly to quarterly invoices.\n\n## Progress\nProration of upgrades is correct; downgrades are not started.\n\n## Next\nBackfill `next_invoice_at` for the 4,100 grandfathered accounts.",
      ),
      assistant("The backfill script is ready for review."),
    ],
  },
];
