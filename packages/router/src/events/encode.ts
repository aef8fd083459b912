import { type BusEvent, type EventName, type EventPayloads, topicOf } from "./event.ts";

/** Makes an event of now, its payload encoded for all who will get it. */
export function encodeEvent<Name extends EventName>(name: Name, seq: number, payload: EventPayloads[Name]): BusEvent {
  const json = JSON.stringify(payload);
  return {
    name,
    topic: topicOf(name, payload),
    seq,
    json,
    bytes: Buffer.byteLength(json),
    outputSeq: name === "terminal-output" && "seq" in payload ? payload.seq : null,
    publishedAt: performance.now(),
  };
}
