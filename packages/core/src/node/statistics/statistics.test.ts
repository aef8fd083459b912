import { readdir, readFile, unlink } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { SessionStatistics, StatisticsOptions } from "../../statistics.ts";
import { codeOf, jsonl, SessionText, TestHome, withoutTree } from "../library/library.fixture.ts";
import type { Library } from "../library/library.ts";
import { openDatabase } from "../storage/sqlite.ts";
import { SqliteStatistics } from "./sqlite-statistics.ts";
import { StatisticsReader } from "./statistics-reader.ts";

const FIXTURES = join(import.meta.dirname, "../../../../../../shared/fixtures/pi");
const names = (await readdir(FIXTURES).catch(() => [])).filter((name) => name.endsWith(".jsonl"));
if (names.length === 0) console.warn(`${FIXTURES} is absent: real sessions are not counted`);

type RecordedUsage = Partial<
  Record<"input" | "output" | "cacheRead" | "cacheWrite" | "cacheWrite1h" | "reasoning", number>
> & {
  cost?: { total: number };
};

interface Line {
  type?: string;
  id?: string;
  parentId?: string | null;
  timestamp?: string;
  cwd?: string;
  model?: string;
  modelId?: string;
  provider?: string;
  usage?: RecordedUsage;
  message?: {
    role?: string;
    content?: string | { type?: string; name?: string }[] | null;
    model?: string;
    provider?: string;
    toolName?: string;
    isError?: boolean;
    usage?: RecordedUsage;
    nestedCalls?: { calls: { name: string; status: string }[] };
  };
}

/** What an entry adds to statistics. */
interface Counted {
  timestamp: string;
  cwd: string | null;
  message: NonNullable<Line["message"]> | null;
  usage: RecordedUsage | null;
  /** Of an answer or a usage. */
  model: string | null;
}

/** Provider and model that an entry puts in force. */
function modelSet({ type, message, modelId, provider }: Line): string | null {
  if (type === "model_change" && modelId !== undefined) return `${provider}/${modelId}`;
  return message?.role === "assistant" ? `${message.provider}/${message.model}` : null;
}

function usageIn({ type, message, usage }: Line): RecordedUsage | null {
  if (type === "message") return (["assistant", "toolResult"].includes(message?.role ?? "") && message?.usage) || null;
  return (["usage", "compaction", "branch_summary"].includes(type ?? "") && usage) || null;
}

function isMessage({ message }: Counted): boolean {
  return message !== null;
}

function cwdOf(lines: Line[]): string | null {
  return lines.find((line) => line.type === "session")?.cwd ?? null;
}

function entriesIn(lines: Line[], seen: Set<string>): Counted[] {
  const cwd = cwdOf(lines);
  const entries = lines.filter(({ type }) => type !== "session");
  const byId = new Map(entries.map((line) => [line.id, line]));
  const parentOf = (line: Line) =>
    line.id === undefined ? entries[entries.indexOf(line) - 1] : byId.get(line.parentId ?? "");
  const own = new Set<string>();
  return entries.flatMap((line) => {
    const { id, timestamp = "", message } = line;
    const usage = usageIn(line);
    if (message === undefined && usage === null) return [];
    if (id !== undefined) {
      if (own.has(id) || seen.has(`${id}/${timestamp}`)) return [];
      own.add(id);
      seen.add(`${id}/${timestamp}`);
    }
    let model = line.type === "usage" ? `${line.provider}/${line.model}` : null;
    for (let at: Line | undefined = line; at !== undefined && model === null; at = parentOf(at)) model = modelSet(at);
    return [{ cwd, timestamp, message: message ?? null, usage, model: model ?? "null/null" }];
  });
}

/** Adds all sessions up in the plainest way: line by line, with nothing of this project. */
function recount(texts: string[]) {
  const files = texts.map((text) =>
    text.split("\n").flatMap((line): Line[] => {
      try {
        return [JSON.parse(line) as Line];
      } catch {
        return [];
      }
    }),
  );
  // What a fork was made of comes before it.
  files.sort((a, b) => ((a[0]?.timestamp ?? "") < (b[0]?.timestamp ?? "") ? -1 : 1));
  const seen = new Set<string>();
  const entries = files.flatMap((lines) => entriesIn(lines, seen));
  const messages = entries.flatMap(({ message, ...rest }) => (message === null ? [] : [{ ...message, ...rest }]));
  const answers = messages.filter(({ role }) => role === "assistant");
  const nested = messages.flatMap(({ role, nestedCalls }) => (role === "toolResult" ? (nestedCalls?.calls ?? []) : []));
  const calls = [
    ...answers.flatMap(({ content }) =>
      Array.isArray(content) ? content.filter(({ type }) => type === "toolCall") : [],
    ),
    ...nested,
  ].map(({ name }) => name);
  const failed = [
    ...messages
      .filter(({ role, isError }) => role === "toolResult" && isError === true)
      .map(({ toolName }) => toolName),
    ...nested.filter(({ status }) => status === "error").map(({ name }) => name),
  ];
  const usageOf = (some: readonly Counted[]) => {
    const sum = (of: (usage: RecordedUsage) => number | undefined) =>
      some.reduce((total, { usage }) => total + (usage === null ? 0 : (of(usage) ?? 0)), 0);
    return {
      input_tokens: sum((usage) => usage.input),
      output_tokens: sum((usage) => usage.output),
      cache_read_tokens: sum((usage) => usage.cacheRead),
      cache_write_tokens: sum((usage) => usage.cacheWrite),
      cache_write_1h_tokens: sum((usage) => usage.cacheWrite1h),
      reasoning_tokens: sum((usage) => usage.reasoning),
      total_tokens: sum(
        ({ input = 0, output = 0, cacheRead = 0, cacheWrite = 0 }) => input + output + cacheRead + cacheWrite,
      ),
      cost_usd: some.some(({ usage }) => usage?.cost !== undefined) ? sum((usage) => usage.cost?.total) : null,
      estimated_cost_usd: null,
    };
  };
  const group = <Key>(
    keyOf: (entry: Counted) => Key,
    counts: (entry: Counted) => boolean = isMessage,
    keys: Key[] = entries.map(keyOf),
  ) => {
    return [...new Set(keys)].sort().map((key) => {
      const some = entries.filter((entry) => keyOf(entry) === key);
      return [key, some.filter(counts).length, usageOf(some)] as const;
    });
  };
  const isAnswer = ({ message }: Counted) => message?.role === "assistant";
  return {
    totals: {
      sessions: files.length,
      messages: messages.length,
      user_messages: messages.filter(({ role }) => role === "user").length,
      assistant_messages: answers.length,
      tool_calls: calls.length,
      usage: usageOf(entries),
    },
    models: group((entry) => (isAnswer(entry) || entry.usage !== null ? entry.model : ""), isAnswer).filter(
      ([name]) => name !== "",
    ),
    projects: group(({ cwd }) => cwd, isMessage, files.map(cwdOf)),
    days: group(({ timestamp }) => timestamp.slice(0, 10)),
    hours: Array.from(
      { length: 24 },
      (_, hour) => messages.filter(({ timestamp }) => Number(timestamp.slice(11, 13)) === hour).length,
    ),
    tools: [...new Set([...calls, ...failed])]
      .sort()
      .map((tool) => [
        tool,
        calls.filter((name) => name === tool).length,
        failed.filter((name) => name === tool).length,
      ]),
  };
}

/** An answer in the form of {@link recount}. */
function counted({ totals, by_model, by_project, by_day, by_hour, by_tool }: SessionStatistics) {
  const byKey = (a: readonly unknown[], b: readonly unknown[]) => (String(a[0]) < String(b[0]) ? -1 : 1);
  return {
    totals,
    models: by_model
      .map(({ model, provider, messages, usage }) => [`${provider}/${model}`, messages, usage])
      .sort(byKey),
    projects: by_project.map(({ project, messages, usage }) => [project, messages, usage]).sort(byKey),
    days: by_day.map(({ date, messages, usage }) => [date, messages, usage]),
    hours: by_hour.map(({ messages }) => messages),
    tools: by_tool.map(({ tool, calls, errors }) => [tool, calls, errors]).sort(byKey),
  };
}

/** Sums of costs differ in the last digits by the order in which they were added. */
function inCents(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (key, one) => (key === "cost_usd" && one !== null ? Number(one.toFixed(9)) : one)),
  );
}

async function ask(library: Library, options: StatisticsOptions = {}): Promise<SessionStatistics> {
  return library.statistics({ time_zone: "UTC", ...options });
}

describe.skipIf(names.length === 0)("statistics of real sessions", () => {
  let home: TestHome;
  let library: Library;
  let texts: string[];
  beforeAll(async () => {
    home = await TestHome.create();
    texts = await Promise.all(names.map((name) => readFile(join(FIXTURES, name), "utf8")));
    for (const [place, name] of names.entries()) await home.write(name, texts[place] ?? "");
    library = await home.open();
    await library.scan();
  });
  afterAll(() => home[Symbol.asyncDispose]());

  it("are those of a recount, to the last token", async () => {
    const found = await ask(library);
    expect(inCents(counted(found))).toEqual(inCents(recount(texts)));
    expect(found.totals.usage.total_tokens).toBeGreaterThan(0);
  });
});

describe("statistics of sessions that change", () => {
  let home: TestHome;
  let library: Library;
  beforeAll(async () => {
    home = await TestHome.create();
    library = await home.open({ watch: false });
  });
  afterAll(() => home[Symbol.asyncDispose]());

  const call = (name: string) => ({ type: "toolCall", id: "call", name, arguments: {} });

  it("follow appends, other content, moves and deletions, and a rebuilt index says the same", async () => {
    const text = new SessionText()
      .user("one")
      .assistant("two", [call("bash"), call("read")])
      .toolResult("done");
    const path = await home.write("p/a.jsonl", text.lines);
    await home.write("p/none.jsonl", "no session");
    await library.scan();
    expect(await ask(library)).toMatchObject({
      totals: { sessions: 1, messages: 3, user_messages: 1, assistant_messages: 1, tool_calls: 2 },
      by_tool: [
        { tool: "bash", calls: 1, errors: 0 },
        { tool: "read", calls: 1, errors: 0 },
      ],
      longest_sessions: [{ path }],
      skipped_files: 1,
    });

    const before = text.lines.length;
    for (let turn = 0; turn < 150; turn++) text.user("go on").assistant("yes");
    await home.append(path, text.lines.slice(before, before + 1));
    await library.scan();
    expect((await ask(library)).totals.messages).toBe(4);
    await home.append(path, text.lines.slice(before + 1));
    await library.scan();
    const grown = await ask(library);
    expect(grown.totals).toMatchObject({ messages: 303, assistant_messages: 151 });
    expect(grown.totals.usage).toMatchObject({ total_tokens: 151 * 15, cost_usd: 151 * 0.25 });

    const fresh = await TestHome.create();
    await fresh.write("p/a.jsonl", text.lines);
    const other = await fresh.open({ watch: false });
    await other.scan();
    const { longest_sessions: _, skipped_files: __, ...sums } = grown;
    expect(await ask(other)).toMatchObject(sums);
    await fresh[Symbol.asyncDispose]();

    await home.write("p/a.jsonl", new SessionText().user("anew").lines);
    await library.scan();
    expect((await ask(library)).totals).toMatchObject({ sessions: 1, messages: 1, tool_calls: 0 });
    await unlink(path);
    await library.scan();
    expect(await ask(library)).toMatchObject({
      totals: { sessions: 0, messages: 0, usage: { cost_usd: null } },
      by_model: [],
      by_day: [],
      longest_sessions: [],
    });
  });

  it("count what a fork has copied where it was written, whoever is read first", async () => {
    const source = new SessionText({ cwd: "/home/dev/source" }).user("one").assistant("two", [call("bash")]);
    const leaf = source.leaf;
    const path = await home.write("p/source.jsonl", source.lines);
    await library.scan();
    const fork = await library.fork(path, leaf);
    await home.append(path, source.user("three").lines.slice(-1));
    await home.append(fork.path, new SessionText().from(leaf).assistant("four").lines.slice(1));
    await library.scan();
    const { totals, by_project, by_tool, longest_sessions } = await ask(library);
    expect(totals).toMatchObject({ sessions: 2, messages: 4, assistant_messages: 2, tool_calls: 1 });
    expect(by_project).toMatchObject([{ project: "/home/dev/source", sessions: 2, messages: 4 }]);
    expect(by_tool).toEqual([{ tool: "bash", calls: 1, errors: 0 }]);
    expect(longest_sessions).toHaveLength(2);

    // Where the source is gone, its messages are those of the fork.
    await unlink(path);
    await library.scan();
    expect((await ask(library)).totals).toMatchObject({ sessions: 1, messages: 3 });
    await unlink(fork.path);
    await library.scan();
  });

  it("count every session without a range, and in one those with a message of their own", async () => {
    const source = new SessionText({ cwd: "/home/dev/source" }).user("one").assistant("two");
    const path = await home.write("p/source.jsonl", source.lines);
    await library.scan();
    const clone = await library.fork(path, source.leaf);
    const empty = await home.write("p/empty.jsonl", new SessionText({ cwd: "/home/dev/empty" }).lines);
    const usage = { input: 1, cost: { total: 0.5 } };
    const warm = { type: "usage", kind: "cache_warm", provider: "p", model: "warm", usage };
    const used = await home.write("p/used.jsonl", new SessionText({ cwd: "/home/dev/used" }).entry(warm).lines);
    await library.scan();
    const always = await ask(library);
    const within = await ask(library, { since: "2000-01-01T00:00:00.000Z" });
    expect([always.totals.sessions, within.totals.sessions]).toEqual([4, 1]);
    expect(within.totals).toEqual({ ...always.totals, sessions: 1 });
    const projects = ({ by_project }: SessionStatistics) =>
      by_project.map(({ project, sessions, messages, usage: { cost_usd } }) => [project, sessions, messages, cost_usd]);
    expect(projects(always)).toEqual([
      ["/home/dev/source", 2, 2, 0.25],
      ["/home/dev/used", 1, 0, 0.5],
      ["/home/dev/empty", 1, 0, null],
    ]);
    expect(projects(within)).toEqual([
      ["/home/dev/source", 1, 2, 0.25],
      ["/home/dev/used", 0, 0, 0.5],
    ]);
    // What was used counts for its day, which it does not make one on which something was said.
    expect(within.by_day).toMatchObject([{ date: "2026-03-01", sessions: 1, messages: 2, usage: { cost_usd: 0.75 } }]);
    for (const one of [path, clone.path, empty, used]) await unlink(one);
    await library.scan();
    const later = new SessionText({}, Date.parse("2026-04-01T10:00:00.000Z")).entry(warm);
    const alone = await home.write("p/alone.jsonl", later.lines);
    await library.scan();
    expect(await ask(library)).toMatchObject({
      totals: { sessions: 1, messages: 0, usage: { cost_usd: 0.5 } },
      by_model: [{ model: "warm", messages: 0 }],
      by_day: [{ date: "2026-04-01", sessions: 0, messages: 0, usage: { cost_usd: 0.5 } }],
      streaks: { longest_days: 0 },
    });
    await unlink(alone);
    await library.scan();
  });

  it("take copies for their own where entries have no ids", async () => {
    const lines = withoutTree(new SessionText().user("one").assistant("two").lines);
    const paths = [await home.write("p/1.jsonl", lines), await home.write("p/2.jsonl", lines)];
    await library.scan();
    expect((await ask(library)).totals).toMatchObject({ sessions: 2, messages: 4 });
    for (const path of paths) await unlink(path);
    await library.scan();
  });

  it("begin and end at the millisecond, and name what counts then", async () => {
    const text = new SessionText({ cwd: "/home/dev/range" }).user("1").user("2").user("3");
    const [, ...times] = text.lines.map((line) => String((line as { timestamp?: string }).timestamp));
    const untimed = { type: "message", id: "untimed", parentId: null, timestamp: "?", message: { role: "user" } };
    const path = await home.write("p/range.jsonl", [...text.lines, untimed]);
    await library.scan();
    const count = async (options: StatisticsOptions) => (await ask(library, options)).totals.messages;
    expect(await count({})).toBe(4);
    expect(await count({ since: times[1] })).toBe(2);
    expect(await count({ until: times[1] })).toBe(1);
    expect(await count({ since: times[1], until: times[2] })).toBe(1);
    expect(await count({ since: "2000-01-01T00:00:00.000Z" })).toBe(3);
    expect(await count({ project: "/home/dev/range" })).toBe(4);
    expect(await ask(library, { project: "/elsewhere" })).toMatchObject({ totals: { sessions: 0 }, by_project: [] });
    const later = await ask(library, { since: "2030-01-01T00:00:00.000Z" });
    expect(later).toMatchObject({ totals: { sessions: 0, messages: 0 }, longest_sessions: [] });
    await unlink(path);
    await library.scan();
  });

  it.each([
    ["short", "failed"],
    ["long", "failed ".repeat(200)],
  ])("know of the failure of a tool whose output is %s", async (_, output) => {
    const text = new SessionText().assistant("", [call("bash")]);
    const result = {
      role: "toolResult",
      toolCallId: "call",
      toolName: "bash",
      content: [{ type: "text", text: output }],
    };
    text.message({ ...result, isError: true, timestamp: 5 }).message({ ...result, isError: false, timestamp: 6 });
    text.message({ ...result, toolName: "größe", isError: true, timestamp: 7 });
    const path = await home.write("p/failed.jsonl", text.lines);
    await library.scan();
    expect((await ask(library)).by_tool).toEqual([
      { tool: "bash", calls: 1, errors: 1 },
      { tool: "größe", calls: 0, errors: 1 },
    ]);
    await unlink(path);
    await library.scan();
  });

  it("are those of the service's own time zone unless another is asked for", async () => {
    expect((await library.statistics({})).time_zone).toBe(new Intl.DateTimeFormat().resolvedOptions().timeZone);
    expect((await library.statistics({ time_zone: "asia/tokyo" })).time_zone).toBe("Asia/Tokyo");
    expect(await codeOf(library.statistics({ time_zone: "Nowhere" }))).toBe("INVALID_PAYLOAD");
  });
});

/** A task that somebody waits for. */
const WANTED = { check: () => undefined };

it("statistics are not added up again until something changes or a quarter of an hour begins", async () => {
  await using home = await TestHome.create();
  await home.write("p/a.jsonl", new SessionText().user("one").lines);
  const library = await home.open({ watch: false });
  await library.scan();
  await home.close(library);
  const path = join(home.data, "index.db");
  const writer = openDatabase(path, { durability: "none" });
  const catalog = openDatabase(path, { readonly: true, durability: "none" });
  const reader = new StatisticsReader(new SqliteStatistics(catalog));
  const question = {
    since: null,
    until: null,
    project: null,
    format: null,
    stackBy: null,
    prices: {},
    timeZone: "UTC",
    now: Date.UTC(2026, 0, 1, 23, 45),
  };
  const first = reader.statistics(question, WANTED);
  expect(first.totals).toMatchObject({ sessions: 1, messages: 1 });
  expect(reader.statistics({ ...question, now: question.now + 14 * 60_000 }, WANTED)).toBe(first);
  expect(reader.statistics({ ...question, now: question.now + 15 * 60_000 }, WANTED)).not.toBe(first);
  expect(reader.statistics({ ...question, since: 0 }, WANTED)).not.toBe(first);
  writer.exec("UPDATE files SET status = 'away'; UPDATE contents SET generation = generation + 1");
  expect(reader.statistics(question, WANTED).totals).toMatchObject({ sessions: 0, messages: 0 });
  catalog.close();
  writer.close();
});

describe("statistics of any sessions with forks", () => {
  const amount = fc.nat(1_000);
  const usage = fc.record(
    {
      input: amount,
      output: amount,
      cacheRead: amount,
      cacheWrite: amount,
      totalTokens: amount,
      reasoning: amount,
      cacheWrite1h: amount,
    },
    { requiredKeys: [] },
  );
  const step = fc.record({
    /** From which entry it goes on, of those before. */
    from: fc.nat(),
    kind: fc.constantFrom("user", "assistant", "toolResult", "custom", "compaction", "branch_summary", "usage"),
    model: fc.constantFrom("m1", "m2"),
    usage: fc.option(usage, { nil: undefined }),
    isError: fc.boolean(),
    nested: fc.option(
      fc.record({
        calls: fc.array(
          fc.record({ name: fc.constantFrom("read", "m1"), status: fc.constantFrom("ok", "error", "unfinished") }),
          { maxLength: 2 },
        ),
        complete: fc.boolean(),
      }),
      { nil: undefined },
    ),
    minutes: fc.nat(600),
    /** An entry that is no message comes first. */
    setting: fc.boolean(),
  });
  const tree = fc.record({
    steps: fc.array(step, { minLength: 1, maxLength: 12 }),
    forkAt: fc.array(fc.nat(), { maxLength: 3 }),
  });

  it("are those of a recount", async () => {
    await using home = await TestHome.create();
    const library = await home.open({ watch: false });
    let run = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(tree, { minLength: 1, maxLength: 3 }), async (trees) => {
        run++;
        const texts = trees.flatMap(({ steps, forkAt }, session) => {
          const entries = entriesOf(steps, `${run}-${session}`);
          return [0, ...forkAt.map((at, fork) => [at, fork + 1] as const)].map((fork) => {
            const chosen = typeof fork === "number" ? entries : branchTo(entries, fork[0] % entries.length);
            const place = typeof fork === "number" ? 0 : fork[1];
            const timestamp = new Date(Date.UTC(2026, 5, 1 + place)).toISOString();
            const header = {
              type: "session",
              version: 3,
              id: `${run}-${session}-${place}`,
              timestamp,
              cwd: `/p${session}`,
            };
            return jsonl([header, ...chosen]);
          });
        });
        const paths = await Promise.all(texts.map((text, place) => home.write(`p/${run}-${place}.jsonl`, text)));
        try {
          await library.scan();
          expect(inCents(counted(await ask(library)))).toEqual(inCents(recount(texts)));
        } finally {
          for (const path of paths) await unlink(path);
        }
      }),
      { numRuns: 40, interruptAfterTimeLimit: 20_000, markInterruptAsFailure: false },
    );
  });

  type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

  function entriesOf(steps: Step[], name: string) {
    const entries: {
      type: string;
      id: string;
      parentId: string | null;
      timestamp: string;
      [field: string]: unknown;
    }[] = [];
    for (const [place, { from, kind, model, usage, isError, nested, minutes, setting }] of steps.entries()) {
      const before = entries.length === 0 ? null : (entries[from % entries.length]?.id ?? null);
      const timestamp = new Date(Date.UTC(2026, 4, 1) + minutes * 60_000 + place).toISOString();
      const id = `${name}-${place}`;
      const chosen = isError ? { provider: "p", modelId: "chosen" } : {};
      if (setting) entries.push({ type: "model_change", id: `${id}s`, parentId: before, timestamp, ...chosen });
      const entry = { id, parentId: setting ? `${id}s` : before, timestamp };
      if (kind === "compaction" || kind === "branch_summary") {
        entries.push({ type: kind, ...entry, summary: "", usage });
      } else if (kind === "usage") {
        entries.push({ type: kind, ...entry, kind: "cache_warm", provider: "p", model, usage });
      } else {
        const content = kind === "assistant" ? [{ type: "toolCall", id: "c", name: model, arguments: {} }] : "text";
        const answer = { model, provider: "p", stopReason: isError ? "aborted" : "deferred" };
        const result = { toolName: model, isError, nestedCalls: nested };
        const message = { role: kind, content, usage, ...(kind === "assistant" ? answer : result) };
        entries.push({ type: "message", ...entry, message });
      }
    }
    return entries;
  }

  function branchTo(entries: ReturnType<typeof entriesOf>, leaf: number) {
    const byId = new Map(entries.map((entry) => [entry.id, entry]));
    const branch = new Set<(typeof entries)[number]>();
    for (let at = entries[leaf]; at !== undefined; at = byId.get(at.parentId ?? "")) branch.add(at);
    return entries.filter((entry) => branch.has(entry));
  }
});
