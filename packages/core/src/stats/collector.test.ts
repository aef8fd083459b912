import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { PriceList } from "../prices/price-list.ts";
import type { PlacedActivity } from "./activity.ts";
import { decodeRollup, encodeActivity } from "./activity-chunk.ts";
import { type CollectorOptions, StatisticsCollector } from "./collector.ts";
import { hourlySums } from "./hourly-sums.ts";
import { answer, anyMessages, type Collected, limited, rounded, usageOf } from "./stats.fixture.ts";
import { TimeZone } from "./time-zone.ts";

interface Session {
  project: string | null;
  parts: PlacedActivity[][];
}

const prices = new PriceList();
const NOW = Date.UTC(2026, 2, 30, 12);

/** Every second session is a subagent, every third one of another agent. */
function kindOf(key: number) {
  return { format: key % 3 === 0 ? "claude-code" : "pi", isSubagent: key % 2 === 0 } as const;
}

function collect(sessions: readonly Session[], options: Partial<CollectorOptions> = {}): Collected {
  const zone = new TimeZone("UTC");
  const collector = new StatisticsCollector({
    since: null,
    until: null,
    zone,
    stackBy: null,
    prices,
    now: NOW,
    ...options,
  });
  for (const [key, { project, parts }] of sessions.entries()) {
    collector.beginSession({ key, project, ...kindOf(key) });
    for (const messages of parts) {
      collector.add(hourlySums(decodeRollup(encodeActivity(messages, []).rollup), prices), () => messages);
    }
  }
  return collector.result();
}

/** Counts message by message, in the plainest way, what does not need a clock. */
function recount(sessions: readonly Session[], since: number | null, until: number | null) {
  const hasRange = since !== null || until !== null;
  const counted = sessions.map(({ project, parts }) => ({
    project,
    messages: parts.flat().filter(({ timestamp }) => {
      if (!hasRange) return true;
      return timestamp >= (since ?? Number.NEGATIVE_INFINITY) && timestamp < (until ?? Number.POSITIVE_INFINITY);
    }),
  }));
  const entries = counted.flatMap(({ messages }) => messages);
  const all = entries.filter(isMessage);
  const used = entries.flatMap(({ activity }) => activity.usage ?? []);
  const costs = used.flatMap(({ cost_usd }) => cost_usd ?? []);
  const answers = all.filter(({ activity }) => activity.role === "assistant");
  const calls = all.flatMap(({ activity }) => activity.calls);
  const failed = all.flatMap(({ activity }) => activity.failed);
  return {
    sessions: counted.filter(({ messages }) => !hasRange || messages.some(isMessage)).length,
    messages: all.length,
    user_messages: all.filter(({ activity }) => activity.role === "user").length,
    assistant_messages: answers.length,
    tool_calls: calls.length,
    input: used.reduce((sum, { input_tokens }) => sum + limited(input_tokens), 0),
    tokens: used.reduce((sum, { total_tokens }) => sum + total_tokens, 0),
    hourly: used.reduce((sum, { cache_write_1h_tokens }) => sum + limited(cache_write_1h_tokens), 0),
    reasoning: used.reduce((sum, { reasoning_tokens }) => sum + limited(reasoning_tokens), 0),
    cost: costs.length === 0 ? null : costs.reduce((sum, cost) => sum + cost, 0),
    tools: new Map(
      [...new Set([...calls, ...failed])].map((tool) => [
        tool,
        [calls.filter((one) => one === tool).length, failed.filter((one) => one === tool).length],
      ]),
    ),
    projects: new Map(
      counted
        .filter(({ messages }) => !hasRange || messages.length > 0)
        .map(({ project }) => [
          project,
          counted
            .filter((one) => one.project === project)
            .reduce((sum, one) => sum + one.messages.filter(isMessage).length, 0),
        ]),
    ),
    timed: all.filter(({ timestamp }) => !Number.isNaN(timestamp)).length,
  };
}

function isMessage({ activity }: PlacedActivity): boolean {
  return activity.role !== null;
}

const anySession = fc.record({
  project: fc.constantFrom(null, "/a", "/b"),
  parts: fc.array(anyMessages, { maxLength: 3 }),
});
const anyTime = fc.oneof(
  fc.constant(null),
  fc.integer({ min: Date.UTC(2026, 2, 28), max: Date.UTC(2026, 2, 30) }),
  fc.integer({ min: 0, max: 192 }).map((quarter) => Date.UTC(2026, 2, 28) + quarter * 900_000),
);

describe("StatisticsCollector", () => {
  it("adds up what a recount of all messages does, in any range", () => {
    fc.assert(
      fc.property(fc.array(anySession, { maxLength: 4 }), anyTime, anyTime, (sessions, since, until) => {
        const found = collect(sessions, { since, until });
        const { input, tokens, hourly, reasoning, cost, ...more } = recount(sessions, since, until);
        const { tools, projects, timed, ...totals } = more;
        expect(found.totals).toMatchObject(totals);
        expect(rounded(found.totals.usage.input_tokens)).toBe(rounded(input));
        expect(rounded(found.totals.usage.total_tokens)).toBe(rounded(tokens));
        expect(rounded(found.totals.usage.cache_write_1h_tokens)).toBe(rounded(hourly));
        expect(rounded(found.totals.usage.reasoning_tokens)).toBe(rounded(reasoning));
        for (const list of [found.by_model, found.by_provider, found.by_project, found.by_format]) {
          expect(rounded(list.reduce((sum, { usage }) => sum + usage.total_tokens, 0))).toBe(rounded(tokens));
        }
        if (cost === null) expect(found.totals.usage.cost_usd).toBeNull();
        else expect(found.totals.usage.cost_usd).toBeCloseTo(cost, 6);
        expect(new Map(found.by_tool.map(({ tool, calls, errors }) => [tool, [calls, errors]]))).toEqual(tools);
        expect(new Map(found.by_project.map(({ project, messages }) => [project, messages]))).toEqual(projects);
        for (const list of [found.by_day, found.by_hour, found.by_weekday, found.by_weekday_hour]) {
          expect(sumOf(list)).toBe(timed);
        }
        expect(sumOf(found.activity_blocks)).toBe(timed);
        expect(sumOf(found.by_project_week)).toBe(timed);
        expect(sumOf(found.by_model)).toBe(totals.assistant_messages);
        expect(sumOf(found.by_provider)).toBe(totals.assistant_messages);
        expect(sumOf(found.by_format)).toBe(totals.messages);
        expect(found.by_format.reduce((sum, one) => sum + one.sessions, 0)).toBe(totals.sessions);
        const subagents = sessions.map((session, key) =>
          kindOf(key).isSubagent ? session : { ...session, parts: [] },
        );
        const ofThem = recount(subagents, since, until);
        expect(found.subagents.messages).toBe(ofThem.messages);
        expect(rounded(found.subagents.usage.total_tokens)).toBe(rounded(ofThem.tokens));
      }),
    );
  });

  it("tells days apart by project, model or agent, and loses nothing", () => {
    const by = fc.constantFrom("project" as const, "model" as const, "format" as const);
    const zones = fc.constantFrom("UTC", "Asia/Kathmandu").map((name) => new TimeZone(name));
    fc.assert(
      fc.property(fc.array(anySession, { maxLength: 4 }), anyTime, by, zones, (sessions, since, stackBy, zone) => {
        const found = collect(sessions, { since, stackBy, zone });
        const stacks = found.stacks ?? [];
        const names = { project: found.by_project, model: found.by_model, format: found.by_format }[stackBy];
        expect(new Set(stacks.map(({ name }) => name)).size).toBe(stacks.length);
        expect(stacks.length).toBeLessThanOrEqual(names.length);
        for (const { date, messages, usage } of found.by_day) {
          const parts = stacks.flatMap(({ by_day }) => by_day.filter((day) => day.date === date));
          const sum = (of: (part: (typeof parts)[number]) => number) => parts.reduce((all, part) => all + of(part), 0);
          expect(rounded(sum((part) => part.usage.total_tokens))).toBe(rounded(usage.total_tokens));
          expect(sum((part) => part.usage.cost_usd ?? 0)).toBeCloseTo(usage.cost_usd ?? 0, 6);
          if (stackBy !== "model") expect(sum((part) => part.messages)).toBe(messages);
        }
        expect(collect(sessions, { since, zone }).stacks).toBeNull();
      }),
    );
  });

  it("adds up what more than ten projects did in one of the rest", () => {
    const sessions = Array.from({ length: 12 }, (_, place) => ({
      project: `/${String(place).padStart(2, "0")}`,
      parts: [[at("2026-03-01T10:00:00Z", answer({ usage: usageOf(100 - place) }))]],
    }));
    const { stacks } = collect(sessions, { stackBy: "project" });
    expect(stacks?.map(({ name, is_rest }) => [name, is_rest])).toEqual([
      ...Array.from({ length: 10 }, (_, place) => [`/${String(place).padStart(2, "0")}`, false]),
      [null, true],
    ]);
    expect(stacks?.at(-1)?.by_day).toMatchObject([{ date: "2026-03-01", messages: 2, usage: { total_tokens: 179 } }]);
  });

  it("gives two ranges that meet as much as the range of both", () => {
    const within = fc.integer({ min: Date.UTC(2026, 2, 28), max: Date.UTC(2026, 2, 30) });
    fc.assert(
      fc.property(fc.array(anySession, { maxLength: 4 }), within, (sessions, middle) => {
        const ends = { since: Date.UTC(2026, 2, 28), until: Date.UTC(2026, 2, 30) };
        const both = collect(sessions, ends).totals;
        const [first, second] = [{ until: middle }, { since: middle }].map(
          (end) => collect(sessions, { ...ends, ...end }).totals,
        );
        expect((first?.messages ?? 0) + (second?.messages ?? 0)).toBe(both.messages);
        expect((first?.tool_calls ?? 0) + (second?.tool_calls ?? 0)).toBe(both.tool_calls);
      }),
    );
  });

  it("adds up the same by quarters, where the zone's hours begin within those of UTC", () => {
    fc.assert(
      fc.property(fc.array(anySession, { maxLength: 4 }), (sessions) => {
        const [byHours, byQuarters] = ["UTC", "Asia/Kathmandu"].map((name) => {
          const found = collect(sessions, { zone: new TimeZone(name) });
          const { totals, by_model, by_provider, by_tool, by_project, activity_blocks } = found;
          return rounded({ totals, by_model, by_provider, by_tool, by_project, activity_blocks });
        });
        expect(byQuarters).toEqual(byHours);
      }),
    );
  });

  it("does not depend on how sessions are cut into parts", () => {
    fc.assert(
      fc.property(anyMessages, fc.nat(30), (messages, cut) => {
        const whole = collect([{ project: "/a", parts: [messages] }]);
        const cutUp = collect([{ project: "/a", parts: [messages.slice(0, cut), messages.slice(cut)] }]);
        expect(rounded(cutUp.by_day)).toEqual(rounded(whole.by_day));
        expect(cutUp.by_tool).toEqual(whole.by_tool);
      }),
    );
  });

  const at = (time: string, activity = answer({ usage: usageOf(10, 0.5) })) => ({
    place: 0,
    timestamp: Date.parse(time),
    activity,
  });

  it("counts days, hours and weeks by the clocks of the zone", () => {
    const sessions = [{ project: "/a", parts: [[at("2026-03-29T22:30:00Z")], [at("2026-03-29T21:59:59.999Z")]] }];
    const inZone = (name: string) => {
      const found = collect(sessions, { zone: new TimeZone(name) });
      const { by_day, by_hour, by_weekday, by_weekday_hour, by_project_week } = found;
      return {
        days: by_day.map(({ date, sessions, messages }) => [date, sessions, messages]),
        hours: by_hour.filter(({ messages }) => messages > 0).map(({ hour }) => hour),
        weekdays: by_weekday.filter(({ messages }) => messages > 0).map(({ weekday }) => weekday),
        ofWeek: by_weekday_hour.filter(({ messages }) => messages > 0).map(({ weekday, hour }) => [weekday, hour]),
        weeks: by_project_week.map(({ week }) => week),
      };
    };
    expect(inZone("UTC")).toEqual({
      days: [["2026-03-29", 1, 2]],
      hours: [21, 22],
      weekdays: [6],
      ofWeek: [
        [6, 21],
        [6, 22],
      ],
      weeks: ["2026-03-23"],
    });
    expect(inZone("Europe/Berlin")).toEqual({
      days: [
        ["2026-03-29", 1, 1],
        ["2026-03-30", 1, 1],
      ],
      hours: [0, 23],
      weekdays: [0, 6],
      ofWeek: [
        [0, 0],
        [6, 23],
      ],
      weeks: ["2026-03-23", "2026-03-30"],
    });
    expect(inZone("Asia/Kathmandu")).toMatchObject({ hours: [3, 4], weeks: ["2026-03-30"] });
  });

  it("counts what has no time, unless a range is asked for", () => {
    const untimed = { place: 0, timestamp: Number.NaN, activity: answer({ calls: ["read"] }) };
    const sessions = [{ project: "/a", parts: [[untimed], [at("2026-03-01T10:00:00Z"), untimed]] }];
    const counts = (options: Partial<CollectorOptions>) => {
      const { totals, by_tool } = collect(sessions, options);
      return [totals.sessions, totals.messages, totals.tool_calls, by_tool.length];
    };
    expect(counts({})).toEqual([1, 3, 2, 1]);
    expect(counts({ since: 0 })).toEqual([1, 1, 0, 0]);
    expect(counts({ until: 0 })).toEqual([0, 0, 0, 0]);
  });

  it("leaves a cost open where none is recorded, and only there", () => {
    const parts = [
      [at("2026-03-01T10:00:00Z")],
      [at("2026-03-01T10:00:00Z", answer({ model: "free", usage: usageOf(5) }))],
    ];
    const { by_model, totals } = collect([{ project: null, parts }]);
    expect(by_model.map(({ model, usage }) => [model, usage.cost_usd])).toEqual([
      ["test-1", 0.5],
      ["free", null],
    ]);
    expect(totals.usage).toEqual(usageOf(15, 0.5));
  });

  it("begins a block at the hour of the first message that none holds", () => {
    const times = ["10:20", "14:59", "15:00", "23:45"].map((time) => [at(`2026-03-01T${time}:00Z`)]);
    const { activity_blocks } = collect([{ project: null, parts: times }]);
    expect(activity_blocks.map(({ start, end, messages }) => [start, end, messages])).toEqual([
      ["2026-03-01T10:00:00.000Z", "2026-03-01T15:00:00.000Z", 2],
      ["2026-03-01T15:00:00.000Z", "2026-03-01T20:00:00.000Z", 1],
      ["2026-03-01T23:00:00.000Z", "2026-03-02T04:00:00.000Z", 1],
    ]);
  });

  it("names sums that stay numbers, whatever was written", () => {
    const huge = answer({ usage: { ...usageOf(1e308, 1e308), output_tokens: Number.POSITIVE_INFINITY } });
    const messages = Array.from({ length: 100 }, (_, place) => ({ place, timestamp: 0, activity: huge }));
    const { usage } = collect([{ project: null, parts: [messages, messages] }]).totals;
    expect(usage.estimated_cost_usd).toBeNull();
    const { estimated_cost_usd: _, ...amounts } = usage;
    for (const amount of Object.values(amounts)) expect(Number.isFinite(amount)).toBe(true);
  });
});

function sumOf(list: readonly { messages: number }[]): number {
  return list.reduce((sum, { messages }) => sum + messages, 0);
}
