import type { BusEvent } from "@sm/router/events";

const texts = new WeakMap<BusEvent, Buffer>();

/** Encodes an event as a message of the stream. All streams share the buffer. */
export function eventText(event: BusEvent): Buffer {
  const known = texts.get(event);
  if (known !== undefined) return known;
  // JSON has no line breaks.
  const text = Buffer.from(`event: ${event.name}\nid: ${event.seq}\ndata: ${event.json}\n\n`);
  texts.set(event, text);
  return text;
}
