export { createEventBus, type EventBus, type EventBusOptions, type Subscriber, type Subscription } from "./bus.ts";
export {
  type BusEvent,
  DEFAULT_TOPICS,
  EVENT_TOPICS,
  type EventName,
  type EventPayloads,
  type PublishedName,
  type Topic,
} from "./event.ts";
export { readAfterSeq } from "./position.ts";
