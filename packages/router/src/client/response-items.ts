import { dataOfBody } from "./response-data.ts";

/** How a response with a list begins. */
const START = '{"success":true,"data":[';

/**
 * Reads the body of an HTTP response whose data is a list. The service writes each item of a long one on a line of its
 * own, and no JSON string has a line break in it: the items are taken as they come.
 *
 * Rejects with the errors of `dataOfBody`.
 */
export async function* itemsOf(body: ReadableStream<Uint8Array>, status: number): AsyncGenerator<unknown[], void> {
  let text = "";
  let isList = false;
  const decoder = new TextDecoder();
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      text += decoder.decode(value, { stream: true });
      const end = text.lastIndexOf(",\n");
      if (end < 0 || !(isList || text.startsWith(START))) continue;
      // What was taken of the list is left out of the rest.
      const items: unknown[] = JSON.parse(`[${text.slice(isList ? 0 : START.length, end)}]`);
      text = text.slice(end + 2);
      isList = true;
      yield items;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
  // The types of commands say that it is a list.
  const last = dataOfBody((isList ? START : "") + text + decoder.decode(), status) as unknown[];
  if (last.length > 0) yield last;
}
