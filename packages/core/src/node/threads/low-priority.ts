import { readlinkSync } from "node:fs";
import { constants, setPriority } from "node:os";

/**
 * Lets other threads of the machine go before the one that calls: where both want a processor, it gets a tenth of what
 * they get. Only Linux has priorities of threads; elsewhere nothing happens.
 */
export function yieldToOthers(): void {
  try {
    // "<process>/task/<thread>"
    const thread = Number(readlinkSync("/proc/thread-self").split("/")[2]);
    setPriority(thread, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // It works all the same.
  }
}
