import type { SessionStatistics } from "../statistics.ts";
import { type PlacedActivity, QUARTER_MS, quarterOf } from "./activity.ts";
import { type Rollup, readSums, type SumsReader } from "./activity-chunk.ts";
import { blocksOf } from "./blocks.ts";
import { byName } from "./by-name.ts";
import { dateOf, mondayOf, streaksOf, weekdayOf } from "./days.ts";
import { got } from "./got.ts";
import type { ModelName, Names } from "./names.ts";
import { SumTable } from "./sum-table.ts";
import { modulo, QUARTERS_A_DAY, type TimeZone } from "./time-zone.ts";
import { UsageSum } from "./usage-sum.ts";

/** More are in no list that a person reads; a session may name as many as it has lines. */
const MOST_NAMES = 1_000;
/** Of days the newest: ten years of them. */
const MOST_DAYS = 4_000;
/** Of weeks, with all their projects, the newest half year. */
const MOST_WEEKS = 26;
const QUARTERS_AN_HOUR = 4;

export interface CollectorOptions {
  /** Milliseconds since 1970, `null` for all that was before. */
  since: number | null;
  /** Excluded; `null` for all that comes after. */
  until: number | null;
  zone: TimeZone;
  /** Milliseconds since 1970. */
  now: number;
}

/** A place in the table of sums, with what it is of. */
interface ModelSum extends ModelName {
  row: number;
}

interface DaySum {
  day: number;
  row: number;
  sessions: number;
  lastSession: number;
}

interface ProjectSum {
  sessions: number;
  /** Of messages whose time is unknown. */
  untimed: number;
  weeks: Map<number, number>;
}

interface ToolSum {
  calls: number;
  errors: number;
}

/** The sums that a chunk's names stand for. */
interface NamedSums {
  models: ModelSum[];
  tools: ToolSum[];
}

/** Adds up what sessions hold, one session after the other, in as many parts as each has. */
export class StatisticsCollector implements SumsReader {
  readonly #since: number | null;
  readonly #until: number | null;
  readonly #zone: TimeZone;
  readonly #today: number;
  readonly #sums = new SumTable();
  readonly #models = new Map<string, ModelSum>();
  readonly #tools = new Map<string | null, ToolSum>();
  readonly #byNames = new Map<Names, NamedSums>();
  readonly #projects = new Map<string | null, ProjectSum>();
  /** By hour in UTC, counted from 1970. */
  readonly #hours = new Map<number, number>();
  readonly #days = new Map<number, DaySum>();
  /** Messages by hour of the day. */
  readonly #hoursOfDay = new Array<number>(24).fill(0);
  /** Of messages whose time is unknown. */
  readonly #untimed = this.#sums.add();
  /** Where those would be added to a day. */
  readonly #noDay = this.#newDay(Number.NaN);
  readonly #sessions: number[] = [];
  #userMessages = 0;
  #toolCalls = 0;
  // What is being read, and where it belongs: mostly where what was read before does.
  #session = -1;
  #isSessionCounted = false;
  #isEdge = false;
  #named: NamedSums = { models: [], tools: [] };
  #project = this.#newProject();
  #hour = Number.NaN;
  #hourRow = this.#untimed;
  #day = this.#noDay;
  #week = Number.NaN;
  #weekRow = this.#untimed;

  constructor({ since, until, zone, now }: CollectorOptions) {
    this.#since = since;
    this.#until = until;
    this.#zone = zone;
    this.#today = dayOf(zone.local(Math.floor(now / QUARTER_MS)));
  }

  /** Begins with another session. */
  beginSession(key: number, project: string | null): void {
    this.#session = key;
    this.#project = got(this.#projects, project, () => this.#newProject());
    this.#week = Number.NaN;
    this.#isSessionCounted = false;
    if (!this.#hasRange) this.#countSession();
  }

  /**
   * Adds a part of the session that was begun.
   *
   * @param messages gives what the part is the sum of; asked for where the range begins or ends within a quarter of an
   * hour in which something was said.
   */
  add({ names, sums }: Pick<Rollup, "names" | "sums">, messages: () => readonly PlacedActivity[]): void {
    this.#isEdge = false;
    this.#named = got(this.#byNames, names, () => ({
      models: names.models.map((name) => this.#modelSum(name)),
      tools: names.tools.map((tool) => this.#toolSum(tool)),
    }));
    readSums(sums, this);
    if (!this.#isEdge) return;
    for (const { timestamp, activity } of messages()) {
      const quarter = quarterOf(timestamp);
      if (quarter === null || !this.#isAtEdge(quarter) || !this.#isInRange(timestamp)) continue;
      this.#take(quarter, 1, activity.role === "user" ? 1 : 0);
      if (activity.role === "assistant") {
        this.#addAnswers(this.#modelSum(activity), 1, activity.usage === null ? NOTHING : UsageSum.of(activity.usage));
      }
      for (const tool of activity.calls) this.#addTool(this.#toolSum(tool), 1, 0);
      if (activity.failed !== undefined) this.#addTool(this.#toolSum(activity.failed), 0, 1);
    }
  }

  quarter(quarter: number | null, messages: number, userMessages: number): boolean {
    if (this.#hasRange) {
      if (quarter === null) return false;
      if (this.#isAtEdge(quarter)) {
        this.#isEdge = true;
        return false;
      }
      if (!this.#isInRange(quarter * QUARTER_MS)) return false;
    }
    this.#take(quarter, messages, userMessages);
    return true;
  }

  answers(model: number, messages: number, usage: UsageSum): void {
    const sum = this.#named.models[model];
    if (sum !== undefined) this.#addAnswers(sum, messages, usage);
  }

  tool(tool: number, calls: number, errors: number): void {
    const sum = this.#named.tools[tool];
    if (sum !== undefined) this.#addTool(sum, calls, errors);
  }

  /** The sessions that count. */
  get sessions(): readonly number[] {
    return this.#sessions;
  }

  result(): Omit<SessionStatistics, "longest_sessions" | "skipped_files"> {
    const sums = this.#sums;
    const days = [...this.#days.values()].sort((a, b) => a.day - b.day);
    const all = sums.add();
    sums.addRow(all, this.#untimed);
    const weekdays = new Array<number>(7).fill(0);
    for (const { day, row } of days) {
      sums.addRow(all, row);
      const weekday = weekdayOf(day);
      weekdays[weekday] = (weekdays[weekday] ?? 0) + sums.messages(row);
    }
    const models = [...this.#models.values()].filter(({ row }) => sums.messages(row) > 0);
    const { messages, usage } = sums.at(all);
    return {
      totals: {
        sessions: this.#sessions.length,
        messages,
        user_messages: this.#userMessages,
        assistant_messages: models.reduce((sum, { row }) => sum + sums.messages(row), 0),
        tool_calls: this.#toolCalls,
        usage,
      },
      by_model: models
        .sort((a, b) => this.#byUse(a, b) || byName(a.model, b.model) || byName(a.provider, b.provider))
        .slice(0, MOST_NAMES)
        .map(({ model, provider, row }) => ({ model, provider, ...sums.at(row) })),
      by_provider: this.#byProvider(models),
      ...this.#byProject(),
      by_tool: [...this.#tools]
        .filter(([, { calls, errors }]) => calls + errors > 0)
        .sort(([a, one], [b, other]) => other.calls - one.calls || other.errors - one.errors || byName(a, b))
        .slice(0, MOST_NAMES)
        .map(([tool, { calls, errors }]) => ({ tool, calls, errors })),
      by_day: days
        .slice(-MOST_DAYS)
        .map(({ day, sessions, row }) => ({ date: dateOf(day), sessions, ...sums.at(row) })),
      by_hour: this.#hoursOfDay.map((messages, hour) => ({ hour, messages })),
      by_weekday: weekdays.map((messages, weekday) => ({ weekday, messages })),
      activity_blocks: blocksOf(this.#hours, sums),
      streaks: streaksOf(
        days.map(({ day }) => day),
        this.#today,
      ),
      time_zone: this.#zone.name,
    };
  }

  #byProvider(models: readonly ModelSum[]): SessionStatistics["by_provider"] {
    const providers = new Map<string | null, number>();
    for (const { provider, row } of models) {
      this.#sums.addRow(
        got(providers, provider, () => this.#sums.add()),
        row,
      );
    }
    return [...providers]
      .map(([provider, row]) => ({ provider, row }))
      .sort((a, b) => this.#byUse(a, b) || byName(a.provider, b.provider))
      .slice(0, MOST_NAMES)
      .map(({ provider, row }) => ({ provider, ...this.#sums.at(row) }));
  }

  #byProject(): Pick<SessionStatistics, "by_project" | "by_project_week"> {
    const sums = this.#sums;
    const projects = [...this.#projects]
      .filter(([, { sessions }]) => sessions > 0)
      .map(([project, { sessions, untimed, weeks }]) => {
        const row = sums.add();
        sums.addRow(row, untimed);
        for (const week of weeks.values()) sums.addRow(row, week);
        return { project, sessions, row, weeks };
      })
      .sort((a, b) => this.#byUse(a, b) || b.sessions - a.sessions || byName(a.project, b.project))
      .slice(0, MOST_NAMES);
    const newest = [...new Set(projects.flatMap(({ weeks }) => [...weeks.keys()]))]
      .sort((a, b) => a - b)
      .slice(-MOST_WEEKS);
    return {
      by_project: projects.map(({ project, sessions, row }) => ({ project, sessions, ...sums.at(row) })),
      by_project_week: newest.flatMap((week) =>
        projects.flatMap(({ project, weeks }) => {
          const row = weeks.get(week);
          return row === undefined ? [] : [{ project, week: dateOf(week), ...sums.at(row) }];
        }),
      ),
    };
  }

  get #hasRange(): boolean {
    return this.#since !== null || this.#until !== null;
  }

  #isInRange(timestamp: number): boolean {
    return (this.#since === null || timestamp >= this.#since) && (this.#until === null || timestamp < this.#until);
  }

  /** Whether the range begins or ends within a quarter. */
  #isAtEdge(quarter: number): boolean {
    return isWithin(this.#since, quarter) || isWithin(this.#until, quarter);
  }

  #countSession(): void {
    this.#isSessionCounted = true;
    this.#sessions.push(this.#session);
    this.#project.sessions++;
  }

  #take(quarter: number | null, messages: number, userMessages: number): void {
    if (!this.#isSessionCounted) this.#countSession();
    this.#userMessages += userMessages;
    if (quarter === null) {
      this.#hour = this.#week = Number.NaN;
      this.#hourRow = this.#untimed;
      this.#day = this.#noDay;
      this.#weekRow = this.#project.untimed;
    } else this.#turnTo(quarter, messages);
    this.#sums.addMessages(this.#hourRow, messages);
    this.#sums.addMessages(this.#day.row, messages);
    this.#sums.addMessages(this.#weekRow, messages);
  }

  #turnTo(quarter: number, messages: number): void {
    const local = this.#zone.local(quarter);
    const hourOfDay = Math.floor(modulo(local, QUARTERS_A_DAY) / QUARTERS_AN_HOUR);
    this.#hoursOfDay[hourOfDay] = (this.#hoursOfDay[hourOfDay] ?? 0) + messages;
    const hour = Math.floor(quarter / QUARTERS_AN_HOUR);
    if (hour !== this.#hour) {
      this.#hour = hour;
      this.#hourRow = got(this.#hours, hour, this.#newRow);
    }
    const day = dayOf(local);
    if (day !== this.#day.day) this.#day = got(this.#days, day, () => this.#newDay(day));
    if (this.#day.lastSession !== this.#session) {
      this.#day.lastSession = this.#session;
      this.#day.sessions++;
    }
    const week = mondayOf(day);
    if (week !== this.#week) {
      this.#week = week;
      this.#weekRow = got(this.#project.weeks, week, this.#newRow);
    }
  }

  #addAnswers(model: ModelSum, messages: number, usage: UsageSum): void {
    this.#sums.addMessages(model.row, messages);
    this.#sums.addUsage(model.row, usage);
    this.#sums.addUsage(this.#hourRow, usage);
    this.#sums.addUsage(this.#day.row, usage);
    this.#sums.addUsage(this.#weekRow, usage);
  }

  #addTool(tool: ToolSum, calls: number, errors: number): void {
    tool.calls += calls;
    tool.errors += errors;
    this.#toolCalls += calls;
  }

  #modelSum({ provider, model }: ModelName): ModelSum {
    return got(this.#models, JSON.stringify([provider, model]), () => ({ provider, model, row: this.#sums.add() }));
  }

  #toolSum(tool: string | null): ToolSum {
    return got(this.#tools, tool, newTool);
  }

  readonly #newRow = (): number => this.#sums.add();

  #newDay(day: number): DaySum {
    return { day, row: this.#sums.add(), sessions: 0, lastSession: -1 };
  }

  #newProject(): ProjectSum {
    return { sessions: 0, untimed: this.#sums.add(), weeks: new Map() };
  }

  #byUse(a: { row: number }, b: { row: number }): number {
    const sums = this.#sums;
    return sums.totalTokens(b.row) - sums.totalTokens(a.row) || sums.messages(b.row) - sums.messages(a.row);
  }
}

const NOTHING = new UsageSum();
const newTool = (): ToolSum => ({ calls: 0, errors: 0 });

function dayOf(localQuarter: number): number {
  return Math.floor(localQuarter / QUARTERS_A_DAY);
}

function isWithin(time: number | null, quarter: number): boolean {
  return time !== null && time % QUARTER_MS !== 0 && Math.floor(time / QUARTER_MS) === quarter;
}
