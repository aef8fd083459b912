import type { BusEvent, EventName, EventPayloads } from "./event.ts";

/** Makes an event of now, its payload encoded for all who will get it. */
export function encodeEvent<Name extends EventName>(name: Name, seq: number, payload: EventPayloads[Name]): BusEvent {
  const json = JSON.stringify(payload);
  return { name, seq, json, bytes: Buffer.byteLength(json), publishedAt: performance.now() };
}
