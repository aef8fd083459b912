import { formatTimestamp } from "../session/timestamp.ts";
import type { SessionStatistics } from "../statistics.ts";
import type { NumberedRows } from "./numbered-rows.ts";
import type { SumTable } from "./sum-table.ts";

const HOUR_MS = 3_600_000;
const BLOCK_HOURS = 5;
/** Longer ago than some months nobody looks at single blocks; a range shows them. */
const MAX_BLOCKS = 500;

/**
 * Lays blocks of five hours over what was done, and gives the newest of them.
 *
 * @param hours the places of their sums, by hours counted from 1970.
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

/** A block at the end of what RFC 3339 can write. */
const LAST_TIME = "9999-12-31T23:59:59.999Z";
