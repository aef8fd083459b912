import type { DayStack } from "../statistics.ts";
import { byName } from "./by-name.ts";
import { dateOf } from "./calendar-days.ts";
import { got } from "./got.ts";
import type { SumTable } from "./sum-table.ts";

/** More are no longer told apart in a chart. */
const MAX_STACKS = 10;

/** Sums of days for each of several names, of which only the largest are told. */
export class DayStacks {
  readonly #sums: SumTable;
  /** Rows by day. */
  readonly #stacks = new Map<string | null, Map<number, number>>();
  #name: string | null | undefined;
  #days = new Map<number, number>();

  constructor(sums: SumTable) {
    this.#sums = sums;
  }

  /** The row of a name's day, created on first use. */
  row(name: string | null, day: number): number {
    if (name !== this.#name) {
      this.#name = name;
      this.#days = got(this.#stacks, name, () => new Map<number, number>());
    }
    return got(this.#days, day, () => this.#sums.add());
  }

  /**
   * The largest first, the rest last.
   *
   * @param since the first day that is told.
   */
  result(since: number): DayStack[] {
    const sums = this.#sums;
    const stacks = [...this.#stacks]
      .map(([name, days]) => {
        const row = sums.add();
        for (const day of days.values()) sums.addRow(row, day);
        return { name, days, row };
      })
      .filter(({ row }) => !sums.isNothing(row))
      .sort(
        (a, b) =>
          sums.totalTokens(b.row) - sums.totalTokens(a.row) ||
          sums.messages(b.row) - sums.messages(a.row) ||
          byName(a.name, b.name),
      );
    const told = stacks.slice(0, MAX_STACKS).map(({ name, days }) => this.#stack(name, false, days, since));
    const others = stacks.slice(MAX_STACKS);
    if (others.length === 0) return told;
    const rest = new Map<number, number>();
    for (const { days } of others) {
      for (const [day, row] of days) {
        sums.addRow(
          got(rest, day, () => sums.add()),
          row,
        );
      }
    }
    return [...told, this.#stack(null, true, rest, since)];
  }

  #stack(name: string | null, is_rest: boolean, days: ReadonlyMap<number, number>, since: number): DayStack {
    const by_day = [...days]
      .filter(([day, row]) => day >= since && !this.#sums.isNothing(row))
      .sort(([a], [b]) => a - b)
      .map(([day, row]) => ({ date: dateOf(day), ...this.#sums.at(row) }));
    return { name, is_rest, by_day };
  }
}
