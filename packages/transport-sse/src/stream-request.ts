import type { IncomingMessage } from "node:http";
import { type Caller, checkTopics, connectionCommands, validate } from "@sm/router";
import { DEFAULT_TOPICS, readAfterSeq, type Topic } from "@sm/router/events";

/** What a client asks a stream for. */
export interface StreamRequest {
  afterSeq: number | null;
  topics: readonly Topic[];
}

/**
 * Reads `Last-Event-ID`, which a browser sends when it connects again, and the query.
 *
 * @throws AppError `INVALID_PAYLOAD` for a wrong query, `FORBIDDEN` for topics that are not for this caller.
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

/** What is no number of ours counts as one that is gone: a browser would repeat it for ever if it were refused. */
function lastEventId(header: string | string[] | undefined): number | null {
  if (header === undefined || header === "") return null;
  const seq = Number(header);
  return Number.isSafeInteger(seq) ? seq : 0;
}
