import { invalidPayload } from "@sm/core/input";

/**
 * Reads `?after_seq=`; `null` if absent.
 *
 * @throws AppError `INVALID_PAYLOAD` if it is not an event number.
 */
export function readAfterSeq(query: URLSearchParams): number | null {
  const text = query.get("after_seq");
  if (text === null) return null;
  const seq = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(seq)) return seq;
  throw invalidPayload([{ path: "after_seq", message: "Expected an event number." }]);
}
