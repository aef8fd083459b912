export { createEventBus, type EventBus, type EventBusOptions } from "./bus.ts";
export {
  type BusEvent,
  DEFAULT_TOPICS,
  EVENT_TOPICS,
  type EventName,
  type EventPayloads,
  kindOf,
  type PublishedName,
  type ServiceKind,
  type Topic,
  topicOf,
} from "./event.ts";
export { readAfterSeq } from "./position.ts";
export type { EventSource, Subscriber, Subscription, TopicWatcher } from "./subscriber.ts";
