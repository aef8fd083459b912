import { type BusEvent, type EventName, type EventPayloads, topicOf } from "./event.ts";

/** Creates an event with the current time and its payload encoded for all subscribers. */
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
