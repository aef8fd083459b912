import { invalidPayload } from "@sm/core/input";

/**
 * Reads `?after_seq=`; `null` where it is missing.
 *
 * @throws AppError `INVALID_PAYLOAD` for what is no number of an event.
 */
export function readAfterSeq(query: URLSearchParams): number | null {
  const text = query.get("after_seq");
  if (text === null) return null;
  const seq = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(seq)) return seq;
  throw invalidPayload([{ path: "after_seq", message: "Expected the number of an event." }]);
}
