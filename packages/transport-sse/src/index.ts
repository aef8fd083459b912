/// <reference types="node" preserve="true" />
export { createEventStream, type EventStream, type EventStreamOptions } from "./event-stream.ts";
