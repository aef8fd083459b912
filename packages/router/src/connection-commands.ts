import { identifier, sequenceNumber } from "@sm/core/input";
import { DEFAULT_TOPICS } from "./events/event.ts";
import * as v from "./schema/json.ts";

/** `live:` or `terminal:` with an ID. */
const TOPIC_OF_ONE = /^(?:live|terminal):(.+)$/s;

const TOPIC_MESSAGE = `Must be one of ${DEFAULT_TOPICS.join(", ")}, or live:<session_id> or terminal:<id>.`;

const topic = v.pipe(v.string(), v.check(isTopic, TOPIC_MESSAGE));

const topics = v.pipe(v.array(topic), v.minLength(1, "At least one topic."), v.maxLength(100, "At most 100 topics."));

function isTopic(text: string): boolean {
  const [, id] = TOPIC_OF_ONE.exec(text) ?? [];
  return id === undefined ? DEFAULT_TOPICS.includes(text) : v.is(identifier, id);
}

/** Commands about the connection itself. Not in the registry: they are available on a WebSocket only. */
export const connectionCommands = {
  auth: {
    summary: "Authenticates the connection; must come first if the upgrade request carried no token.",
    // An empty token is not an invalid payload but a wrong token, after which the connection is closed.
    input: v.strictObject({ token: v.pipe(v.string(), v.maxLength(1_024, "At most 1024 characters.")) }),
    output: v.strictObject({ authenticated: v.literal(true), scope: v.picklist(["full", "read"]) }),
  },

  subscribe: {
    summary: "Subscribes this connection to the push events of topics; returns all subscribed topics.",
    input: v.strictObject({ topics }),
    output: v.strictObject({ topics: v.array(v.string()) }),
  },

  unsubscribe: {
    summary: "Unsubscribes this connection from topics; returns the topics that are still subscribed.",
    input: v.strictObject({ topics }),
    output: v.strictObject({ topics: v.array(v.string()) }),
  },

  acknowledge_output: {
    summary:
      "Acknowledges terminal output up to this sequence number; after the first acknowledgement, the terminal applies flow control.",
    input: v.strictObject({
      id: identifier,
      seq: v.pipe(sequenceNumber, v.description("Sequence number of the last output received.")),
    }),
    output: v.strictObject({ id: v.string(), seq: v.number() }),
  },
} as const;

export type ConnectionCommandName = keyof typeof connectionCommands;
