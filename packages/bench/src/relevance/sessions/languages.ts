import {
  assistant,
  edit,
  named,
  read,
  run,
  shell,
  think,
  tool,
  user,
  type WrittenSession,
} from "../written-session.ts";

/** Programming languages, their compilers and runtimes, and data. */
export const LANGUAGE_SESSIONS: WrittenSession[] = [
  {
    id: "rust-mutable-borrow",
    cwd: "/home/eli/code/parser",
    daysAgo: 23,
    steps: [
      user("error[E0502]: cannot borrow `*self` as mutable because it is also borrowed as immutable. I don't see why."),
      read("src/lexer.rs", "let token = self.peek();\nself.advance();\nmatch token.kind {"),
      assistant("`peek` returns a reference into `self`, which lives until the match. Copy the kind before advancing."),
      edit("src/lexer.rs", "let token = self.peek();", "let kind = self.peek().kind;"),
      assistant("The borrow ends at the copy, the compiler is happy."),
    ],
  },
  {
    id: "tokio-deadlock",
    cwd: "/home/eli/code/relay",
    daysAgo: 10,
    steps: [
      user("The relay hangs after some hours, no CPU, all requests wait."),
      run("tokio-console http://localhost:6669", "task 114  idle 3h  src/session.rs:88  Mutex::lock\n"),
      think(
        "A std Mutex guard is held across an await, so on a single worker the task that should release it never runs.",
      ),
      assistant(
        "`std::sync::Mutex` is held across `.await` in session.rs: a deadlock as soon as both workers wait for it.",
      ),
      edit(
        "src/session.rs",
        "let guard = self.state.lock().unwrap();\nself.flush(&guard).await",
        "let snapshot = self.state.lock().unwrap().clone();\nself.flush(&snapshot).await",
      ),
      assistant("The guard is dropped before the await now; clippy's await_holding_lock is denied."),
    ],
  },
  {
    id: "go-concurrent-map",
    cwd: "/home/eli/code/proxy",
    daysAgo: 38,
    steps: [
      user("Crash in production: fatal error: concurrent map writes"),
      run(
        "go test -race ./...",
        "WARNING: DATA RACE\nWrite at 0x00c0000a4060 by goroutine 31:\n  proxy.(*Registry).Add()\n      /home/eli/code/proxy/registry.go:44\n",
      ),
      assistant("`Registry.Add` writes the map without the lock that `Lookup` takes."),
      edit("registry.go", "r.backends[name] = b", "r.mu.Lock()\n\tr.backends[name] = b\n\tr.mu.Unlock()"),
      assistant("The race detector is silent, and CI runs the tests with -race."),
    ],
  },
  {
    id: "parquet-out-of-memory",
    cwd: "/home/eli/code/analytics",
    daysAgo: 49,
    steps: [
      user("The nightly notebook dies with MemoryError when it reads the 40 GB parquet folder with pandas."),
      assistant("pandas loads all columns of all files. Scan it lazily and select the four columns that are used."),
      edit(
        "jobs/daily_revenue.py",
        "pd.read_parquet(folder)",
        'pl.scan_parquet(f"{folder}/*.parquet").select(COLUMNS)',
      ),
      run("python jobs/daily_revenue.py", "peak memory 1.3 GiB, 212 s\n"),
      assistant("With a lazy scan the job peaks at 1.3 GiB."),
    ],
  },
  {
    id: "unicode-decode-bom",
    cwd: "/home/eli/code/analytics",
    daysAgo: 54,
    steps: [
      user(
        "UnicodeDecodeError: 'utf-8' codec can't decode byte 0xff in position 0: invalid start byte. The vendor says that the CSV is UTF-8.",
      ),
      run("xxd vendor.csv | head -1", "00000000: fffe 4e00 6100 6d00 6500                 ..N.a.m.e.\n"),
      assistant("ff fe is the byte order mark of UTF-16 little endian. The vendor exports from Excel as Unicode Text."),
      edit("jobs/import_vendor.py", 'open(path, encoding="utf-8")', "open(path, encoding=detect_bom(path))"),
      assistant("`detect_bom` looks at the first four bytes and falls back to UTF-8."),
    ],
  },
  {
    id: "sqlite-database-locked",
    cwd: "/home/eli/code/notes",
    daysAgo: 17,
    steps: [
      user("sqlite3.OperationalError: database is locked, when the sync runs while I type."),
      assistant(
        "Two connections write at the same time and busy_timeout is 0, so the second gives up at once with SQLITE_BUSY.",
      ),
      edit("notes/store.py", "sqlite3.connect(path)", 'sqlite3.connect(path, timeout=5, isolation_level="IMMEDIATE")'),
      assistant(
        "In WAL mode with a busy timeout of five seconds and immediate transactions the lock error does not come back.",
      ),
    ],
  },
  {
    id: "sqlite-wal-grows",
    cwd: "/home/eli/code/notes",
    daysAgo: 73,
    steps: [
      user("notes.db-wal is 3 GB, the database itself 40 MB."),
      assistant(
        "A reader that never ends its transaction: the checkpoint cannot reset the WAL past the snapshot that it holds. Checkpoint starvation.",
      ),
      edit("notes/watch.py", "cursor = db.execute(QUERY)", "rows = db.execute(QUERY).fetchall()"),
      run("sqlite3 notes.db 'pragma wal_checkpoint(truncate)'", "0|0|0\n"),
      assistant("The WAL is truncated, and it stays below 4 MB now that the watcher reads its rows at once."),
    ],
  },
  {
    id: "regex-backtracking",
    cwd: "/home/eli/code/linter",
    daysAgo: 35,
    steps: [
      user("The linter needs four minutes for one file with a long line."),
      run("node --cpu-prof lint.js big.css", "97 % in RegExp: ^(\\s*\\w+\\s*)*;$\n"),
      assistant(
        "Catastrophic backtracking: nested quantifiers try every way to split the line. Linear with a hand-written scanner.",
      ),
      edit("src/rules/no-empty-declaration.ts", "/^(\\s*\\w+\\s*)*;$/", "scanDeclaration"),
      assistant("4 minutes became 30 ms. A property test feeds lines of 100,000 characters."),
    ],
  },
  {
    id: "typescript-declaration-emit",
    cwd: "/home/dev/oss/widget",
    daysAgo: 42,
    steps: [
      user(
        "error TS2742: The inferred type of 'router' cannot be named without a reference to '.pnpm/…'. This is likely not portable.",
      ),
      assistant(
        "The declaration of `router` would have to import from a transitive dependency. An explicit type annotation on the export solves it.",
      ),
      edit(
        "src/router.ts",
        "export const router = createRouter(",
        "export const router: Router<Routes> = createRouter(",
      ),
      assistant("The declarations are emitted; I also turned on isolatedDeclarations, so that it cannot come back."),
    ],
  },
  {
    id: "elixir-liveview-leak",
    cwd: "/home/eli/code/board",
    daysAgo: 90,
    steps: [
      user("Each LiveView process keeps 40 MB after somebody has scrolled through the board."),
      think("The assigns hold all cards that were ever loaded. Streams keep them on the client only."),
      edit("lib/board_web/live/board_live.ex", "assign(socket, :cards, cards)", "stream(socket, :cards, cards)"),
      assistant("With streams a LiveView stays at 2 MB, however long somebody scrolls."),
    ],
  },
  {
    id: "bloom-filter-thought",
    cwd: "/home/eli/code/relay",
    daysAgo: 28,
    steps: [
      user("Can the duplicate check be cheaper? It asks Redis for every message."),
      think(
        "A bloom filter in front of Redis would answer most lookups locally. False positives only cost one round trip. Rotating two filters keeps the rate low.",
      ),
      assistant(
        "Yes. I keep a small structure in memory that answers `surely new` for 98 % of the messages; only the rest asks Redis.",
      ),
      tool(
        "write",
        {
          path: "src/dedup/rotating_filter.rs",
          content: "pub struct RotatingFilter { current: Bits, previous: Bits }",
        },
        "Successfully wrote 58 bytes",
      ),
      assistant("Redis traffic fell from 9,000 to 180 requests a second."),
    ],
  },
  {
    id: "swift-accessibility",
    cwd: "/home/gil/apps/reader",
    daysAgo: 69,
    steps: [
      user("VoiceOver reads the page number twice and skips the headline."),
      edit(
        "Sources/Reader/PageView.swift",
        ".accessibilityLabel(page.number)",
        ".accessibilityElement(children: .combine)\n.accessibilityAddTraits(.isHeader)",
      ),
      assistant("VoiceOver now reads headline, then page number, once."),
      shell("xcodebuild test -scheme Reader", "** TEST SUCCEEDED **\n"),
      named("VoiceOver fixes"),
    ],
  },
];
