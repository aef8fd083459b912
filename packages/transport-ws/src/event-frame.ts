import type { BusEvent } from "@sm/router/events";

const frames = new WeakMap<BusEvent, Buffer>();

/** Writes an event as a message. All connections that are sent it share the bytes, also while they wait to go out. */
export function eventFrame(event: BusEvent): Buffer {
  const known = frames.get(event);
  if (known !== undefined) return known;
  const frame = Buffer.from(`{"event":${JSON.stringify(event.name)},"seq":${event.seq},"payload":${event.json}}`);
  frames.set(event, frame);
  return frame;
}
