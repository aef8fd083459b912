import type { Transcript, TranscriptItem } from "../../session/transcript.ts";

export function iteratorOf(items: Transcript["items"]): AsyncIterator<TranscriptItem> | Iterator<TranscriptItem> {
  return Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]();
}

/** The next `count` items; keeps the iterator open. */
export async function* take(
  items: AsyncIterator<TranscriptItem> | Iterator<TranscriptItem>,
  count: number,
): AsyncGenerator<TranscriptItem> {
  for (let taken = 0; taken < count; taken++) {
    const next = await items.next();
    if (next.done === true) return;
    yield next.value;
  }
}
