import type { BusEvent } from "@sm/router/events";

const texts = new WeakMap<BusEvent, Buffer>();

/** Writes an event as a message of the stream. All streams share the bytes, also while they wait to go out. */
export function eventText(event: BusEvent): Buffer {
  const known = texts.get(event);
  if (known !== undefined) return known;
  // JSON has no line ends in it.
  const text = Buffer.from(`event: ${event.name}\nid: ${event.seq}\ndata: ${event.json}\n\n`);
  texts.set(event, text);
  return text;
}
