import type { SessionRecord } from "../../session/record.ts";

// Many records as JSON: in pages, in which each is behind a comma, so that nobody has all of them at once.

/** A page of records. */
export function pageOf(records: readonly SessionRecord[]): Uint8Array {
  return Buffer.from(records.map((record) => `,${JSON.stringify(record)}`).join(""));
}

/** The JSON array of these records. */
export async function* arrayOf(pages: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  let isFirst = true;
  for await (const page of pages) {
    if (page.length === 0) continue;
    if (isFirst) {
      // In place of the first comma.
      page[0] = OPENING_BRACKET;
      isFirst = false;
    }
    yield page;
  }
  yield new TextEncoder().encode(isFirst ? "[]" : "]");
}

const OPENING_BRACKET = 0x5b;

/** The records themselves. */
export async function* recordsOf(pages: AsyncIterable<Uint8Array>): AsyncGenerator<SessionRecord, void> {
  const decoder = new TextDecoder();
  for await (const page of pages) {
    // Written from records; without its first comma.
    const records = JSON.parse(`[${decoder.decode(page.subarray(1))}]`) as SessionRecord[];
    // Not `yield*`, which awaits each item and takes twice as long.
    for (const record of records) yield record;
  }
}
