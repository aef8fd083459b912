import { NOT_ESTIMATED } from "../prices/context-size.ts";
import { ByteReader, ByteWriter } from "../session/varint.ts";
import { type Activity, hasModel, type PlacedActivity, quarterOf } from "./activity.ts";
import { got } from "./got.ts";
import { countIn, decodeNames, encodeNames, NamePlaces, type Names, namesOf } from "./model-and-tool-names.ts";
import { UsageSum } from "./usage-sum.ts";

/** Entries per chunk: an append rewrites one of them, in a page or two of the index. */
export const ACTIVITY_CHUNK = 128;

/** A stored chunk. */
export interface ActivityChunk {
  /** Names, origins, and sums per quarter of an hour: sufficient for most queries. */
  rollup: Uint8Array;
  /** Data per entry, without times, which the outline has. */
  details: Uint8Array;
}

/** The sums of a chunk. */
export interface Rollup {
  /** Chunks with equal names may share an object. */
  names: Names;
  origins: number[];
  /** Encoded sums, see {@link readSums}. */
  sums: Uint8Array;
}

/** Receives the sums of a chunk. */
export interface SumsReader {
  /** @returns whether to read the sums of this quarter, which follow. */
  quarter(quarter: number | null, messages: number, userMessages: number): boolean;
  /** Answers of a model, by its index in the names, with all of its usage. `usage` is valid until the next call. */
  answers(model: number, messages: number, usage: UsageSum): void;
  tool(tool: number, calls: number, errors: number): void;
}

/** Role of an entry, in the two lowest bits of its first byte. An entry without activity is a 0 byte. */
const ROLES = [null, "user", "assistant", "other"] as const;
const ROLE_BITS = 0x03;
const HAS_CALLS = 0x04;
const HAS_FAILED = 0x08;
const HAS_USAGE = 0x10;
/** The form of the usage is in the three highest bits. */
const USAGE_SHIFT = 5;

/**
 * @param origins hashes of `identityOf` for the chunk's entries that start a conversation: sessions with copies of the
 * same messages have one in common.
 */
export function encodeActivity(messages: readonly PlacedActivity[], origins: readonly number[]): ActivityChunk {
  const names = namesOf(messages.map(({ activity }) => activity));
  const places = new NamePlaces(names);
  return {
    rollup: encodeRollup(messages, origins, encodeNames(names), places),
    details: encodeDetails(messages, places),
  };
}

/** Decodes a chunk entry by entry. */
export function decodeActivity(
  names: Names,
  details: Uint8Array,
  timestampAt: (place: number) => number,
): PlacedActivity[] {
  const input = new ByteReader(details);
  const messages: PlacedActivity[] = [];
  for (let place = 0; !input.atEnd; place++) {
    const kind = input.byte();
    if (kind === 0) continue;
    messages.push({ place, timestamp: timestampAt(place), activity: readActivity(kind, names, input) });
  }
  return messages;
}

/** @param namesOf decodes names, or returns cached ones: many chunks have the same. */
export function decodeRollup(rollup: Uint8Array, namesOf: (encoded: Uint8Array) => Names = decodeNames): Rollup {
  const input = new ByteReader(rollup);
  const names = namesOf(input.raw(input.unsigned()));
  const origins: number[] = [];
  for (let count = countIn(input); count > 0; count--) origins.push(input.word());
  return { names, origins, sums: input.raw(input.left) };
}

/** Decodes {@link Rollup.sums}: quarters with messages, in order. */
export function readSums(sums: Uint8Array, reader: SumsReader): void {
  const rest = new ByteReader(sums);
  let last = 0;
  while (!rest.atEnd) {
    const written = rest.unsigned();
    const quarter = written === 0 ? null : last + unfolded(written - 1);
    last = quarter ?? last;
    const isWanted = reader.quarter(quarter, rest.unsigned(), rest.unsigned());
    for (let count = countIn(rest); count > 0; count--) {
      const model = rest.unsigned();
      const messages = rest.unsigned();
      usage.read(rest.byte(), rest);
      if (isWanted) reader.answers(model, messages, usage);
    }
    for (let count = countIn(rest); count > 0; count--) {
      const tool = rest.unsigned();
      const calls = rest.unsigned();
      const errors = rest.unsigned();
      if (isWanted) reader.tool(tool, calls, errors);
    }
  }
}

interface Quarter {
  messages: number;
  userMessages: number;
  models: Map<number, { messages: number; usage: UsageSum }>;
  tools: Map<number, { calls: number; errors: number }>;
}

function encodeRollup(
  messages: readonly PlacedActivity[],
  origins: readonly number[],
  names: Uint8Array,
  places: NamePlaces,
): Uint8Array {
  const quarters = new Map<number | null, Quarter>();
  for (const { timestamp, activity } of messages) {
    const quarter = got(quarters, quarterOf(timestamp), newQuarter);
    if (activity.role !== null) quarter.messages++;
    if (activity.role === "user") quarter.userMessages++;
    if (hasModel(activity)) {
      const answers = got(quarter.models, places.model(activity), newAnswers);
      if (activity.role === "assistant") answers.messages++;
      if (activity.usage !== null) answers.usage.add(activity.usage);
    }
    for (const tool of activity.calls) got(quarter.tools, places.tool(tool), newTool).calls++;
    for (const tool of activity.failed) got(quarter.tools, places.tool(tool), newTool).errors++;
  }
  const out = new ByteWriter(names.length + 64 * quarters.size);
  out.unsigned(names.length);
  out.raw(names);
  out.unsigned(origins.length);
  for (const origin of origins) out.word(origin);
  let last = 0;
  for (const [quarter, sums] of [...quarters].sort(([a], [b]) => (a ?? -Infinity) - (b ?? -Infinity))) {
    out.unsigned(quarter === null ? 0 : 1 + folded(quarter - last));
    last = quarter ?? last;
    out.unsigned(sums.messages);
    out.unsigned(sums.userMessages);
    out.unsigned(sums.models.size);
    for (const [model, answers] of sums.models) {
      out.unsigned(model);
      out.unsigned(answers.messages);
      const { form } = answers.usage;
      out.byte(form);
      answers.usage.write(form, out);
    }
    out.unsigned(sums.tools.size);
    for (const [tool, { calls, errors }] of sums.tools) {
      out.unsigned(tool);
      out.unsigned(calls);
      out.unsigned(errors);
    }
  }
  return out.bytes();
}

function encodeDetails(messages: readonly PlacedActivity[], places: NamePlaces): Uint8Array {
  const out = new ByteWriter(16 * messages.length);
  let next = 0;
  for (const { place, activity } of messages) {
    for (; next < place; next++) out.byte(0);
    next++;
    writeActivity(activity, places, out);
  }
  return out.bytes();
}

function writeActivity(activity: Activity, places: NamePlaces, to: ByteWriter): void {
  const { role, calls, failed } = activity;
  const hasUsage = activity.usage !== null;
  if (activity.usage !== null) usage.set(activity.usage);
  const form = hasUsage ? usage.form : 0;
  to.byte(
    ROLES.indexOf(role) |
      (calls.length > 0 ? HAS_CALLS : 0) |
      (failed.length > 0 ? HAS_FAILED : 0) |
      (hasUsage ? HAS_USAGE : 0) |
      (form << USAGE_SHIFT),
  );
  if (hasModel(activity)) to.unsigned(places.model(activity));
  if (hasUsage) usage.write(form, to);
  for (const list of [calls, failed]) {
    if (list.length === 0) continue;
    to.unsigned(list.length);
    for (const tool of list) to.unsigned(places.tool(tool));
  }
}

function readActivity(kind: number, { models, tools }: Names, from: ByteReader): Activity {
  const role = ROLES[kind & ROLE_BITS] ?? null;
  const hasUsage = (kind & HAS_USAGE) !== 0;
  const { provider, model, tier } =
    (role === "assistant" || hasUsage ? models[from.unsigned()] : undefined) ?? NO_MODEL;
  if (hasUsage) usage.read(kind >>> USAGE_SHIFT, from);
  const toolsIf = (flag: number): (string | null)[] => {
    const list: (string | null)[] = [];
    if ((kind & flag) === 0) return list;
    for (let count = countIn(from); count > 0; count--) list.push(tools[from.unsigned()] ?? null);
    return list;
  };
  const calls = toolsIf(HAS_CALLS);
  const failed = toolsIf(HAS_FAILED);
  return { role, provider, model, tier, usage: hasUsage ? usage.toUsage() : null, calls, failed };
}

/** Shared and reused immediately: there are many. */
const usage = new UsageSum();

const NO_MODEL = { provider: null, model: null, tier: NOT_ESTIMATED };

function newQuarter(): Quarter {
  return { messages: 0, userMessages: 0, models: new Map(), tools: new Map() };
}

function newAnswers() {
  return { messages: 0, usage: new UsageSum() };
}

function newTool() {
  return { calls: 0, errors: 0 };
}

function folded(difference: number): number {
  return difference < 0 ? -2 * difference - 1 : 2 * difference;
}

function unfolded(number: number): number {
  return number % 2 === 0 ? number / 2 : -(number + 1) / 2;
}
