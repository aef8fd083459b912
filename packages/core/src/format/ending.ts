import type { Ending } from "../session/record.ts";
import { oneLine } from "../session/text.ts";

const MAX_MESSAGE_LENGTH = 200;

/** A run that was aborted says no more than that. */
export const ABORTED: Ending = { outcome: "aborted", message: null };

/** A run that failed, with what was told of it. */
export function failedWith(message: string): Ending {
  return { outcome: "failed", message: oneLine(message, MAX_MESSAGE_LENGTH) || null };
}
