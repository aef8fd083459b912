import type { BusEvent } from "@sm/router/events";

const frames = new WeakMap<BusEvent, Buffer>();

/** Encodes an event as a WebSocket frame. All connections share the buffer. */
export function eventFrame(event: BusEvent): Buffer {
  const known = frames.get(event);
  if (known !== undefined) return known;
  const frame = Buffer.from(`{"event":${JSON.stringify(event.name)},"seq":${event.seq},"payload":${event.json}}`);
  frames.set(event, frame);
  return frame;
}
