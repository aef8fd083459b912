import { type Rollup, readSums, type SumsReader } from "./activity-chunk.ts";
import type { Names } from "./model-and-tool-names.ts";
import { SumTable } from "./sum-table.ts";
import { QUARTERS_AN_HOUR } from "./time-zone.ts";
import type { UsageSum } from "./usage-sum.ts";

/** What {@link HourlySums.numbers} begin with. */
export const FIRST_QUARTER = 0;
export const LAST_QUARTER = 1;
export const USER_MESSAGES = 2;
export const HEADER = 3;
/** Of each tool its calls and errors. */
export const TOOL_COLUMNS = 2;
/** Of each hour its first quarter with messages, then a row of a {@link SumTable}. */
export const HOUR_COLUMNS = 1 + SumTable.COLUMNS;

/**
 * The sums of a chunk as most questions need them: by hour instead of quarter, a third as many, and of models and tools
 * only those of all hours.
 */
export interface HourlySums {
  names: Names;
  /**
   * The first and last quarter with messages, counted from 1970; the messages of users; a row for each model of the
   * names, then for each tool, then for each hour. What has no time is of the hour `NaN`.
   */
  numbers: Float64Array;
  /** The same by quarters, see {@link Rollup.sums}. */
  quarters: Uint8Array;
}

/** @param room where the numbers are put. */
export function hourlySums({ names, sums }: Pick<Rollup, "names" | "sums">, room = new NumberRoom(0)): HourlySums {
  adder.begin(names);
  readSums(sums, adder);
  return { names, numbers: room.keep(adder.numbers()), quarters: sums };
}

/** Where the hours begin in the numbers of what has these names. */
export function firstHour({ models, tools }: Names): number {
  return HEADER + models.length * SumTable.COLUMNS + tools.length * TOOL_COLUMNS;
}

/** Keeps arrays of numbers one behind the other: read in that order, they make an answer a quarter faster (measured). */
export class NumberRoom {
  readonly #size: number;
  #free = new Float64Array(0);

  /** @param size of the pieces of memory that are taken, in numbers; what is longer has one of its own. */
  constructor(size: number) {
    this.#size = size;
  }

  keep(numbers: Float64Array): Float64Array {
    if (numbers.length > this.#size) return numbers.slice();
    if (numbers.length > this.#free.length) this.#free = new Float64Array(this.#size);
    const kept = this.#free.subarray(0, numbers.length);
    kept.set(numbers);
    this.#free = this.#free.subarray(numbers.length);
    return kept;
  }
}

/** Room for most chunks. */
const FIRST_NUMBERS = 256;

class HourAdder implements SumsReader {
  #names: Names = { models: [], tools: [] };
  #numbers = new Float64Array(FIRST_NUMBERS);
  #tools = 0;
  /** Where the hour that is added to begins, and where the next one would. */
  #at = 0;
  #end = 0;
  #hour = Number.NaN;

  /** Begins with another chunk. */
  begin(names: Names): void {
    this.#names = names;
    this.#tools = HEADER + names.models.length * SumTable.COLUMNS;
    this.#end = 0;
    this.#hour = Number.NaN;
    this.#at = this.#reserve(firstHour(names));
    this.#numbers[FIRST_QUARTER] = Number.POSITIVE_INFINITY;
    this.#numbers[LAST_QUARTER] = Number.NEGATIVE_INFINITY;
  }

  quarter(quarter: number | null, messages: number, userMessages: number): boolean {
    if (quarter === null) this.#addHour(Number.NaN);
    else {
      const hour = Math.floor(quarter / QUARTERS_AN_HOUR);
      if (hour !== this.#hour) this.#addHour(quarter);
      this.#hour = hour;
      this.#numbers[FIRST_QUARTER] = Math.min(this.#numbers[FIRST_QUARTER] ?? 0, quarter);
      this.#numbers[LAST_QUARTER] = Math.max(this.#numbers[LAST_QUARTER] ?? 0, quarter);
    }
    this.#add(this.#at + 1, messages);
    this.#add(USER_MESSAGES, userMessages);
    return true;
  }

  answers(model: number, messages: number, usage: UsageSum): void {
    if (model >= this.#names.models.length) return;
    usage.addTo(this.#numbers, this.#at + 2);
    const row = HEADER + model * SumTable.COLUMNS;
    this.#add(row, messages);
    usage.addTo(this.#numbers, row + 1);
  }

  tool(tool: number, calls: number, errors: number): void {
    if (tool >= this.#names.tools.length) return;
    const row = this.#tools + tool * TOOL_COLUMNS;
    this.#add(row, calls);
    this.#add(row + 1, errors);
  }

  /** Valid until another chunk is begun. */
  numbers(): Float64Array {
    return this.#numbers.subarray(0, this.#end);
  }

  #add(at: number, more: number): void {
    this.#numbers[at] = (this.#numbers[at] ?? 0) + more;
  }

  #addHour(quarter: number): void {
    this.#at = this.#reserve(HOUR_COLUMNS);
    this.#numbers[this.#at] = quarter;
  }

  /** @returns where so many zeros follow. */
  #reserve(count: number): number {
    const at = this.#end;
    this.#end += count;
    if (this.#end > this.#numbers.length) {
      const grown = new Float64Array(2 * this.#end);
      grown.set(this.#numbers);
      this.#numbers = grown;
    }
    this.#numbers.fill(0, at, this.#end);
    return at;
  }
}

/** One for all: there are many chunks, and each is read at once. */
const adder = new HourAdder();
