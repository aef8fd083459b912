import { AppError } from "@sm/core";
import type { Caller } from "./caller.ts";
import { kindOf, type Topic, type TopicKind } from "./events/event.ts";

/**
 * Rejects callers who may not run programs with all rights of the user, or grant rights: this requires a local client
 * or a token of scope `full`, even if authentication is off.
 *
 * @param what a sentence without its end, such as `"create_terminal" controls terminals`.
 * @throws AppError `FORBIDDEN`.
 */
export function checkControl(what: string, { local, scope, tokenId, doubt }: Caller): void {
  if (scope !== "full") {
    throw new AppError("FORBIDDEN", `${what}, which requires a token of scope "full"; this one has scope "read".`);
  }
  if (!local && tokenId === null) {
    const who = doubt === undefined ? "A client on another machine" : "This client";
    const message = `${what}. ${who} needs an API token of scope "full" for this; set "auth_enabled" to true.`;
    throw new AppError("FORBIDDEN", doubt === undefined ? message : `${message} ${doubt}`);
  }
}

const SHOWN: Record<TopicKind, string> = {
  common: "what every client may see",
  live: "the conversation with an agent",
  terminal: "the output of a terminal",
};

/**
 * Rejects callers who may not see terminals and conversations with agents.
 *
 * @throws AppError `FORBIDDEN`.
 */
export function checkTopics(topics: readonly Topic[], caller: Caller): void {
  const topic = topics.find((one) => kindOf(one) !== "common");
  if (topic !== undefined) checkControl(`The topic "${topic}" shows ${SHOWN[kindOf(topic)]}`, caller);
}
