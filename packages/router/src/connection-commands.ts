import { identifier, sequenceNumber } from "@sm/core/input";
import { DEFAULT_TOPICS } from "./events/event.ts";
import * as v from "./schema/json.ts";

/** `live:` and `terminal:` with the id of one of them. */
const TOPIC_OF_ONE = /^(?:live|terminal):(.+)$/s;

const TOPIC_MESSAGE = `Must be one of ${DEFAULT_TOPICS.join(", ")}, or live:<session_id> or terminal:<id>.`;

const topic = v.pipe(v.string(), v.check(isTopic, TOPIC_MESSAGE));

const topics = v.pipe(v.array(topic), v.minLength(1, "At least one topic."), v.maxLength(100, "At most 100 topics."));

function isTopic(text: string): boolean {
  const [, id] = TOPIC_OF_ONE.exec(text) ?? [];
  return id === undefined ? DEFAULT_TOPICS.includes(text) : v.is(identifier, id);
}

/**
 * Commands that are about the connection that they come on, so that they are none of the registry: only a WebSocket
 * answers them.
 */
export const connectionCommands = {
  auth: {
    summary: "Shows the token of this connection; needed first where no token came with the upgrade.",
    // Not refused for being empty: that is a wrong token, after which the connection closes.
    input: v.strictObject({ token: v.pipe(v.string(), v.maxLength(1_024, "At most 1024 characters.")) }),
    output: v.strictObject({ authenticated: v.literal(true), scope: v.picklist(["full", "read"]) }),
  },

  subscribe: {
    summary: "Turns on push events of these topics on this connection, and lists all that are on.",
    input: v.strictObject({ topics }),
    output: v.strictObject({ topics: v.array(v.string()) }),
  },

  unsubscribe: {
    summary: "Turns off push events of these topics on this connection, and lists all that are still on.",
    input: v.strictObject({ topics }),
    output: v.strictObject({ topics: v.array(v.string()) }),
  },

  acknowledge_output: {
    summary:
      "Says that output of a terminal up to this number has arrived; from the first time on, the terminal waits for it.",
    input: v.strictObject({
      id: identifier,
      seq: v.pipe(sequenceNumber, v.description("Of the last output that has arrived.")),
    }),
    output: v.strictObject({ id: v.string(), seq: v.number() }),
  },
} as const;

export type ConnectionCommandName = keyof typeof connectionCommands;
