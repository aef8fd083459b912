import type { TokenRates } from "../prices/model-prices.ts";
import type { PriceList } from "../prices/price-list.ts";
import { type Rollup, readSums, type SumsReader } from "./activity-chunk.ts";
import type { Names } from "./model-and-tool-names.ts";
import { SumTable } from "./sum-table.ts";
import { QUARTERS_AN_HOUR } from "./time-zone.ts";
import type { UsageSum } from "./usage-sum.ts";

/** Layout of {@link HourlySums.numbers}. */
export const FIRST_QUARTER = 0;
export const LAST_QUARTER = 1;
export const USER_MESSAGES = 2;
export const HEADER = 3;
/** Calls and errors of each tool. */
export const TOOL_COLUMNS = 2;
/** For each hour its first quarter with messages, then a row of a {@link SumTable}. */
export const HOUR_COLUMNS = 1 + SumTable.COLUMNS;

/** Condensed sums of a chunk for most queries: by hour instead of quarter, and models and tools only in total. */
export interface HourlySums {
  names: Names;
  /**
   * The first and last quarter with messages, since 1970; the number of user messages; a row for each model, each tool
   * and each hour. Activity without a time has the hour `NaN`.
   */
  numbers: Float64Array;
  /** The same by quarter, see {@link Rollup.sums}. */
  quarters: Uint8Array;
}

/** @param room storage for the numbers. */
export function hourlySums(
  { names, sums }: Pick<Rollup, "names" | "sums">,
  prices: PriceList,
  room = new NumberRoom(0),
): HourlySums {
  adder.begin(names, prices);
  readSums(sums, adder);
  return { names, numbers: room.keep(adder.numbers()), quarters: sums };
}

/** Offset of the hours, depending on the names. */
export function firstHour({ models, tools }: Names): number {
  return HEADER + models.length * SumTable.COLUMNS + tools.length * TOOL_COLUMNS;
}

/** Stores arrays of numbers contiguously: sequential reading makes a query a quarter faster (measured). */
export class NumberRoom {
  readonly #size: number;
  #free = new Float64Array(0);

  /** @param size of allocated buffers, in numbers; longer arrays get separate ones. */
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

/** Sufficient for most chunks. */
const FIRST_NUMBERS = 256;

class HourAdder implements SumsReader {
  #names: Names = { models: [], tools: [] };
  /** By model. */
  #rates: (TokenRates | null)[] = [];
  #numbers = new Float64Array(FIRST_NUMBERS);
  #tools = 0;
  /** Offsets of the current and the next hour. */
  #at = 0;
  #end = 0;
  #hour = Number.NaN;

  /** Starts another chunk. */
  begin(names: Names, prices: PriceList): void {
    this.#names = names;
    this.#rates = names.models.map((model) => prices.rates(model, model.tier));
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
    usage.estimate(this.#rates[model] ?? null);
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

  /** Valid until the next chunk is started. */
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

  /** @returns the offset of this many zeros. */
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

/** Shared and reused immediately: there are many chunks. */
const adder = new HourAdder();
