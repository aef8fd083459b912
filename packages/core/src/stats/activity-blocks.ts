import { formatTimestamp } from "../session/timestamp.ts";
import type { SessionStatistics } from "../statistics.ts";
import type { NumberedRows } from "./numbered-rows.ts";
import type { SumTable } from "./sum-table.ts";

const HOUR_MS = 3_600_000;
const BLOCK_HOURS = 5;
/** Older blocks are shown only in a time range. */
const MAX_BLOCKS = 500;

/**
 * Groups activity into blocks of five hours, and returns the newest ones.
 *
 * @param hours rows of the hourly sums, by hours since 1970.
 */
export function blocksOf(hours: NumberedRows, sums: SumTable): SessionStatistics["activity_blocks"] {
  const blocks: { firstHour: number; row: number }[] = [];
  let block: (typeof blocks)[number] | null = null;
  for (const [hour, row] of hours.inOrder()) {
    if (block === null || hour >= block.firstHour + BLOCK_HOURS) {
      block = { firstHour: hour, row: sums.add() };
      blocks.push(block);
    }
    sums.addRow(block.row, row);
  }
  return blocks.slice(-MAX_BLOCKS).map(({ firstHour, row }) => ({
    start: timeOf(firstHour),
    end: timeOf(firstHour + BLOCK_HOURS),
    ...sums.at(row),
  }));
}

function timeOf(hour: number): string {
  return formatTimestamp(hour * HOUR_MS) ?? LAST_TIME;
}

/** Last time that RFC 3339 can represent. */
const LAST_TIME = "9999-12-31T23:59:59.999Z";
