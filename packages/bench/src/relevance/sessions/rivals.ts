import { assistant, edit, named, read, repeated, run, think, user, type WrittenSession } from "../written-session.ts";

/** What the status line of a deployment tool prints in every session that uses it. */
const STATUS_LINE = "status: ok | retry budget 3 | rate limit 100 | read replica lag 0 ms";

/** The same work, done again and again: the last time is the one that people look for. */
const DEPENDENCY_UPDATES = [2, 32, 62, 92, 122].map(
  (daysAgo): WrittenSession => ({
    id: `dependency-update-${daysAgo}`,
    cwd: "/home/dev/oss/widget",
    daysAgo,
    steps: [
      user("Run the monthly dependency update and tell me about breaking changes."),
      run("pnpm outdated", "Package  Current  Latest\nvite     8.1.0    8.3.0\n"),
      assistant("The monthly dependency update is done; none of the changes is a breaking one for us."),
    ],
  }),
);

/** Sessions about something else whose tool says the words of others in its shortest line. */
const STATUS_CHECKS = Array.from(
  { length: 12 },
  (_, index): WrittenSession => ({
    id: `status-check-${index}`,
    cwd: `/home/dev/infra/site-${index}`,
    daysAgo: 1 + index,
    steps: [user(`Is site ${index} up?`), run("sitectl status", STATUS_LINE), assistant("It is up.")],
  }),
);

/** Sessions that compete for the same words: where, how close, how lately and how often they say them differs. */
export const RIVAL_SESSIONS: WrittenSession[] = [
  ...DEPENDENCY_UPDATES,
  ...STATUS_CHECKS,
  {
    id: "retry-budget-design",
    cwd: "/home/ben/src/gateway-client",
    daysAgo: 90,
    steps: [
      user(
        "When the pricing service is slow, our client makes it worse, since every call is tried three times by each of " +
          "four layers. I would like a retry budget for the whole process instead of a number of attempts for each call, " +
          "as described in the reliability book: retries may add at most ten percent to the traffic. How would you build it?",
      ),
      assistant(
        "A token bucket that each success fills by 0.1 and each retry takes one from; without a token the error is passed on at once.",
      ),
      edit("src/retry.ts", "for (let attempt = 0; attempt < 3; attempt++)", "while (budget.take())"),
    ],
  },
  {
    id: "replica-lag-reads",
    cwd: "/home/ben/src/ledger",
    daysAgo: 130,
    steps: [
      user(
        "After saving, people see their old balance for a second. I think that it is the read replica lag. What can we do without sending everything to the primary?",
      ),
      assistant(
        "Remember the log position of the last write in the session, and read from a replica only when it has replayed that far.",
      ),
      edit("src/database/route.ts", "return replica", "return replica.replayedTo(session.lsn) ? replica : primary"),
    ],
  },
  {
    id: "long-wish-list",
    cwd: "/home/cleo/dev/dashboard",
    daysAgo: 22,
    steps: [
      user(
        "A list of wishes, in no order. The search box should be wider. The list of invoices needs an export button. " +
          "Ranking of the teams by points would be fun. The search box should keep the last query. The export of the " +
          "team list should be a spreadsheet. The box around the ranking of projects is too dark. Undo for deleted tiles. " +
          "Search should not reload the page. The keyboard should move the ranking. A budget for each project. " +
          "Retry uploads by themselves. The lag of the chart is annoying. Please read this twice.",
      ),
      assistant("I made an issue of each of the wishes."),
    ],
  },
  {
    id: "search-ranking-named",
    cwd: "/home/cleo/dev/catalog",
    daysAgo: 150,
    steps: [
      user("Products whose title has the words should come before those that only mention them in the description."),
      named("Search ranking"),
      edit("src/query/boost.ts", 'fields: ["title", "description"]', 'fields: ["title^5", "description"]'),
      assistant("The title counts five times as much now."),
    ],
  },
  {
    id: "search-ranking-mentioned",
    cwd: "/home/cleo/dev/catalog",
    daysAgo: 12,
    steps: [
      user("Write release notes. The search got faster, the ranking page got a filter."),
      read("CHANGELOG.md", repeated(["- search ranking: faster", "- ranking page: search filter"], 20)),
      assistant("The release notes mention the search and the ranking page."),
    ],
  },
  {
    id: "undo-stack",
    cwd: "/home/gil/apps/sketch",
    daysAgo: 37,
    steps: [
      user("Undo after a paste removes only the last shape. It should remove all that was pasted."),
      think("Group the commands of one gesture into a transaction of the undo stack."),
      edit("Sources/Sketch/UndoStack.swift", "push(command)", "transaction { commands.forEach(push) }"),
      assistant("A paste is one step of the undo stack now."),
    ],
  },
  {
    id: "undo-migration",
    cwd: "/home/ben/src/ledger",
    daysAgo: 8,
    steps: [
      user("Undo the last migration on staging, the new column has the wrong type."),
      run("npm run migrate -- down", "undo 0042_balance_type: done\nundo stack: 41 migrations left\n"),
      assistant("Migration 0042 is undone; 41 are left."),
    ],
  },
  {
    id: "rate-limiter-first",
    cwd: "/home/ana/code/portal",
    daysAgo: 200,
    steps: [
      user("Add a rate limit to the public API."),
      edit("server/rate-limit.ts", "", "export const limiter = fixedWindow({ perMinute: 100 });"),
      assistant("The public API has a rate limit of 100 requests a minute, with a fixed window."),
    ],
  },
  {
    id: "rate-limiter-sliding",
    cwd: "/home/ana/code/portal",
    daysAgo: 24,
    steps: [
      user("The rate limit lets through twice as much around the full minute. Use a sliding window."),
      edit("server/rate-limit.ts", "fixedWindow({ perMinute: 100 })", "slidingWindow({ perMinute: 100 })"),
      assistant("The rate limit uses a sliding window now: no more bursts around the full minute."),
    ],
  },
];
