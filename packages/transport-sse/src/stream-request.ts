import type { IncomingMessage } from "node:http";
import { type Caller, checkTopics, connectionCommands, validate } from "@sm/router";
import { DEFAULT_TOPICS, readAfterSeq, type Topic } from "@sm/router/events";

/** Parameters of a stream. */
export interface StreamRequest {
  afterSeq: number | null;
  topics: readonly Topic[];
}

/**
 * Reads `Last-Event-ID`, which browsers send when they reconnect, and the query.
 *
 * @throws AppError `INVALID_PAYLOAD` for an invalid query, `FORBIDDEN` for topics that the caller may not see.
 */
export function readStreamRequest({ headers, url = "" }: IncomingMessage, caller: Caller): StreamRequest {
  const [, query] = url.split("?", 2);
  const parameters = new URLSearchParams(query);
  const afterSeq = readAfterSeq(parameters);
  const topics = parameters.get("topics");
  return {
    afterSeq: lastEventId(headers["last-event-id"]) ?? afterSeq,
    topics: topics === null ? DEFAULT_TOPICS : readTopics(topics, caller),
  };
}

function readTopics(text: string, caller: Caller): Topic[] {
  const { topics } = validate(connectionCommands.subscribe.input, { topics: text.split(",") });
  checkTopics(topics, caller);
  return topics;
}

/** An invalid number counts as no longer kept: browsers would repeat a rejected one forever. */
function lastEventId(header: string | string[] | undefined): number | null {
  if (header === undefined || header === "") return null;
  const seq = Number(header);
  return Number.isSafeInteger(seq) ? seq : 0;
}
