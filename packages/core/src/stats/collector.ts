import type { TokenRates } from "../prices/model-prices.ts";
import type { PriceList } from "../prices/price-list.ts";
import type { ModelName } from "../session/named-models.ts";
import type { SessionFormatName } from "../session/record.ts";
import type { SessionStatistics, StackedBy } from "../statistics.ts";
import { hasModel, type PlacedActivity, QUARTER_MS, quarterOf } from "./activity.ts";
import { blocksOf } from "./activity-blocks.ts";
import { readSums, type SumsReader } from "./activity-chunk.ts";
import { dateOf, mondayOf, streaksOf, weekdayOf } from "./calendar-days.ts";
import { DayStacks } from "./day-stacks.ts";
import { got } from "./got.ts";
import {
  FIRST_QUARTER,
  firstHour,
  HEADER,
  HOUR_COLUMNS,
  type HourlySums,
  LAST_QUARTER,
  TOOL_COLUMNS,
  USER_MESSAGES,
} from "./hourly-sums.ts";
import type { Names } from "./model-and-tool-names.ts";
import { NumberedRows } from "./numbered-rows.ts";
import { QuarterRange } from "./quarter-range.ts";
import {
  type KindSum,
  type ModelSum,
  type ProjectSum,
  rankedKinds,
  rankedModels,
  rankedProjects,
  rankedTools,
  type ToolSum,
} from "./ranked-sums.ts";
import { SumTable } from "./sum-table.ts";
import { modulo, QUARTERS_A_DAY, QUARTERS_AN_HOUR, type TimeZone } from "./time-zone.ts";
import { UsageSum } from "./usage-sum.ts";

/** The newest days: ten years. */
const MAX_DAYS = 4_000;

export interface CollectorOptions {
  /** Milliseconds since 1970, `null` for no limit. */
  since: number | null;
  /** Exclusive; `null` for no limit. */
  until: number | null;
  zone: TimeZone;
  /** What days are told apart by, `null` for nothing. */
  stackBy: StackedBy | null;
  prices: PriceList;
  /** Milliseconds since 1970. */
  now: number;
}

/** What a session is counted by. */
export interface CountedSession {
  key: number;
  project: string | null;
  format: SessionFormatName;
  /** Whether another session has started it. */
  isSubagent: boolean;
}

/** The sum of a model, with the prices of what is added. */
interface PricedModelSum {
  sum: ModelSum;
  rates: TokenRates | null;
}

interface DaySum {
  day: number;
  row: number;
  sessions: number;
  lastSession: number;
}

/** The sums for a chunk's names. */
interface NamedSums {
  models: PricedModelSum[];
  tools: ToolSum[];
}

/** Sums the activity of sessions, each in one or more parts. */
export class StatisticsCollector implements SumsReader {
  readonly #range: QuarterRange;
  readonly #zone: TimeZone;
  readonly #prices: PriceList;
  readonly #today: number;
  readonly #sums = new SumTable();
  readonly #stackBy: StackedBy | null;
  /** Whether days are told apart by what all of a session has in common. */
  readonly #isStacked: boolean;
  readonly #stacks = new DayStacks(this.#sums);
  readonly #models = new Map<string, ModelSum>();
  readonly #tools = new Map<string | null, ToolSum>();
  readonly #byNames = new Map<Names, NamedSums>();
  readonly #kinds = new Map<string, KindSum>();
  readonly #projects = new Map<string | null, ProjectSum>();
  /** By UTC hour since 1970. */
  readonly #hours = new NumberedRows(() => this.#sums.add());
  readonly #days = new Map<number, DaySum>();
  /** Messages by hour of the day. */
  readonly #hoursOfDay = new Array<number>(24).fill(0);
  /** The same for each day of the week, one after the other. */
  readonly #hoursOfWeek = new Array<number>(7 * 24).fill(0);
  /** Messages without a time. */
  readonly #untimed = this.#sums.add();
  /** Replaces a day for them. */
  readonly #noDay = this.#newDay(Number.NaN);
  readonly #sessions: number[] = [];
  #userMessages = 0;
  #toolCalls = 0;
  // Current session, project and time, as a cache.
  #session = -1;
  #isSessionCounted = false;
  #isEdge = false;
  #names: Names = { models: [], tools: [] };
  #named: NamedSums = { models: [], tools: [] };
  #project = this.#newProject();
  #kind: KindSum = { format: "pi", isSubagent: false, sessions: 0, messages: 0, row: this.#untimed };
  #hour = Number.NaN;
  #hourRow = this.#untimed;
  #day = this.#noDay;
  #week = Number.NaN;
  #weekRow = this.#untimed;
  /** Project or agent of the session. */
  #stackName: string | null = null;
  /** Of what has no time, nobody asks. */
  readonly #noStack = this.#sums.add();
  #stackRow = this.#noStack;

  constructor({ since, until, zone, stackBy, prices, now }: CollectorOptions) {
    this.#range = new QuarterRange(since, until);
    this.#zone = zone;
    this.#stackBy = stackBy;
    this.#isStacked = stackBy === "project" || stackBy === "format";
    this.#prices = prices;
    this.#today = dayOf(zone.local(Math.floor(now / QUARTER_MS)));
  }

  /** Starts another session. */
  beginSession({ key, project, format, isSubagent }: CountedSession): void {
    this.#session = key;
    this.#project = got(this.#projects, project, () => this.#newProject());
    if (format !== this.#kind.format || isSubagent !== this.#kind.isSubagent || this.#kinds.size === 0) {
      this.#kind = got(this.#kinds, `${format} ${isSubagent}`, () => this.#newKind(format, isSubagent));
    }
    this.#week = Number.NaN;
    this.#stackName = this.#stackBy === "format" ? format : project;
    this.#isSessionCounted = false;
    if (!this.#range.isBounded) this.#countSession();
  }

  /**
   * Adds a part of the current session.
   *
   * @param messages the messages of the part; called only if the range starts or ends within a quarter of an hour with
   * activity.
   */
  add(part: HourlySums, messages: () => readonly PlacedActivity[]): void {
    const first = part.numbers[FIRST_QUARTER] ?? Number.NaN;
    const last = part.numbers[LAST_QUARTER] ?? Number.NaN;
    if (this.#range.isBeside(first, last)) return;
    if (part.names !== this.#names) this.#turnToNames(part.names);
    // Hours do not tell models apart.
    const isByHours = this.#stackBy !== "model" && this.#range.holdsAll(first, last) && this.#hasWholeHours(part);
    if (isByHours) this.#addHours(part);
    else this.#addQuarters(part.quarters, messages);
  }

  /** Whether a part's UTC hours are whole hours in the time zone, and all times are known if required. */
  #hasWholeHours({ names, numbers }: HourlySums): boolean {
    for (let at = firstHour(names); at < numbers.length; at += HOUR_COLUMNS) {
      const quarter = numbers[at] ?? Number.NaN;
      if (Number.isNaN(quarter) ? this.#range.isBounded : !this.#zone.isWithinAnHour(quarter)) return false;
    }
    return true;
  }

  #addHours({ numbers }: HourlySums): void {
    let at = HEADER;
    for (const { sum } of this.#named.models) {
      this.#sums.addNumbers(sum.row, numbers, at);
      this.#sums.addNumbers(this.#kind.row, numbers, at);
      at += SumTable.COLUMNS;
    }
    for (const tool of this.#named.tools) {
      this.#addTool(tool, numbers[at] ?? 0, numbers[at + 1] ?? 0);
      at += TOOL_COLUMNS;
    }
    this.#userMessages += numbers[USER_MESSAGES] ?? 0;
    for (; at < numbers.length; at += HOUR_COLUMNS) {
      const quarter = numbers[at] ?? Number.NaN;
      this.#turnTo(Number.isNaN(quarter) ? null : quarter, numbers[at + 1] ?? 0);
      this.#sums.addNumbers(this.#hourRow, numbers, at + 1);
      this.#sums.addNumbers(this.#day.row, numbers, at + 1);
      this.#sums.addNumbers(this.#weekRow, numbers, at + 1);
      if (this.#isStacked) this.#sums.addNumbers(this.#stackRow, numbers, at + 1);
    }
  }

  #addQuarters(quarters: Uint8Array, messages: () => readonly PlacedActivity[]): void {
    this.#isEdge = false;
    readSums(quarters, this);
    if (!this.#isEdge) return;
    for (const { timestamp, activity } of messages()) {
      const quarter = quarterOf(timestamp);
      if (quarter === null || !this.#range.isAtEdge(quarter) || !this.#range.holdsTime(timestamp)) continue;
      this.#addMessages(quarter, activity.role === null ? 0 : 1, activity.role === "user" ? 1 : 0);
      if (hasModel(activity)) {
        const answers = activity.role === "assistant" ? 1 : 0;
        const usage = activity.usage === null ? NOTHING : UsageSum.of(activity.usage);
        usage.estimate(this.#prices.rates(activity, activity.tier));
        this.#addAnswers(this.#modelSum(activity), answers, usage);
      }
      for (const tool of activity.calls) this.#addTool(this.#toolSum(tool), 1, 0);
      for (const tool of activity.failed) this.#addTool(this.#toolSum(tool), 0, 1);
    }
  }

  quarter(quarter: number | null, messages: number, userMessages: number): boolean {
    if (this.#range.isBounded) {
      if (quarter === null) return false;
      if (this.#range.isAtEdge(quarter)) this.#isEdge = true;
      if (!this.#range.holds(quarter)) return false;
    }
    this.#addMessages(quarter, messages, userMessages);
    return true;
  }

  answers(model: number, messages: number, usage: UsageSum): void {
    const named = this.#named.models[model];
    if (named === undefined) return;
    usage.estimate(named.rates);
    this.#addAnswers(named.sum, messages, usage);
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
    const models = [...this.#models.values()].filter(({ row }) => !sums.isNothing(row));
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
      ...rankedModels(models, sums),
      ...rankedKinds(this.#kinds.values(), sums),
      ...rankedProjects(this.#projects, sums),
      by_tool: rankedTools(this.#tools),
      by_day: days.slice(-MAX_DAYS).map(({ day, sessions, row }) => ({ date: dateOf(day), sessions, ...sums.at(row) })),
      stacks: this.#stackBy === null ? null : this.#stacks.result(days.at(-MAX_DAYS)?.day ?? days[0]?.day ?? 0),
      by_hour: this.#hoursOfDay.map((messages, hour) => ({ hour, messages })),
      by_weekday: weekdays.map((messages, weekday) => ({ weekday, messages })),
      by_weekday_hour: this.#hoursOfWeek.map((messages, hour) => ({
        weekday: Math.floor(hour / 24),
        hour: hour % 24,
        messages,
      })),
      activity_blocks: blocksOf(this.#hours, sums),
      streaks: streaksOf(
        days.filter(({ row }) => sums.messages(row) > 0).map(({ day }) => day),
        this.#today,
      ),
      time_zone: this.#zone.name,
    };
  }

  #countSession(): void {
    this.#isSessionCounted = true;
    this.#sessions.push(this.#session);
    this.#project.sessions++;
    this.#kind.sessions++;
  }

  #addMessages(quarter: number | null, messages: number, userMessages: number): void {
    this.#userMessages += userMessages;
    this.#turnTo(quarter, messages);
    this.#sums.addMessages(this.#hourRow, messages);
    this.#sums.addMessages(this.#day.row, messages);
    this.#sums.addMessages(this.#weekRow, messages);
    if (this.#isStacked) this.#sums.addMessages(this.#stackRow, messages);
  }

  #turnToNames(names: Names): void {
    this.#names = names;
    this.#named = got(this.#byNames, names, () => ({
      models: names.models.map((name) => ({
        sum: this.#modelSum(name),
        rates: this.#prices.rates(name, name.tier),
      })),
      tools: names.tools.map((tool) => this.#toolSum(tool)),
    }));
  }

  /** Selects the sums of a quarter and counts by hour. */
  #turnTo(quarter: number | null, messages: number): void {
    if (messages > 0 && !this.#isSessionCounted) this.#countSession();
    this.#kind.messages += messages;
    if (quarter === null) {
      this.#hour = this.#week = Number.NaN;
      this.#hourRow = this.#untimed;
      this.#day = this.#noDay;
      this.#weekRow = this.#project.untimed;
      this.#stackRow = this.#noStack;
      return;
    }
    const local = this.#zone.local(quarter);
    const hourOfDay = Math.floor(modulo(local, QUARTERS_A_DAY) / QUARTERS_AN_HOUR);
    this.#hoursOfDay[hourOfDay] = (this.#hoursOfDay[hourOfDay] ?? 0) + messages;
    const hour = Math.floor(quarter / QUARTERS_AN_HOUR);
    if (hour !== this.#hour) {
      this.#hour = hour;
      this.#hourRow = this.#hours.at(hour);
    }
    const day = dayOf(local);
    const hourOfWeek = weekdayOf(day) * 24 + hourOfDay;
    this.#hoursOfWeek[hourOfWeek] = (this.#hoursOfWeek[hourOfWeek] ?? 0) + messages;
    if (day !== this.#day.day) this.#day = got(this.#days, day, () => this.#newDay(day));
    if (messages > 0 && this.#day.lastSession !== this.#session) {
      this.#day.lastSession = this.#session;
      this.#day.sessions++;
    }
    if (this.#isStacked) this.#stackRow = this.#stacks.row(this.#stackName, day);
    const week = mondayOf(day);
    if (week !== this.#week) {
      this.#week = week;
      this.#weekRow = got(this.#project.weeks, week, this.#newRow);
    }
  }

  #addAnswers(model: ModelSum, messages: number, usage: UsageSum): void {
    this.#sums.addMessages(model.row, messages);
    this.#sums.addUsage(model.row, usage);
    this.#sums.addUsage(this.#kind.row, usage);
    this.#sums.addUsage(this.#hourRow, usage);
    this.#sums.addUsage(this.#day.row, usage);
    this.#sums.addUsage(this.#weekRow, usage);
    if (this.#isStacked) this.#sums.addUsage(this.#stackRow, usage);
    else if (this.#stackBy === "model" && this.#day !== this.#noDay) {
      const row = this.#stacks.row(model.model, this.#day.day);
      this.#sums.addMessages(row, messages);
      this.#sums.addUsage(row, usage);
    }
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

  #newKind(format: SessionFormatName, isSubagent: boolean): KindSum {
    return { format, isSubagent, sessions: 0, messages: 0, row: this.#sums.add() };
  }

  #newProject(): ProjectSum {
    return { sessions: 0, untimed: this.#sums.add(), weeks: new Map() };
  }
}

const NOTHING = new UsageSum();
const newTool = (): ToolSum => ({ calls: 0, errors: 0 });

function dayOf(localQuarter: number): number {
  return Math.floor(localQuarter / QUARTERS_A_DAY);
}
