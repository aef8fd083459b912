import { AppError } from "@sm/core";
import type { Caller } from "./caller.ts";
import { kindOf, type Topic, type TopicKind } from "./events/event.ts";

/**
 * Refuses a caller who may not run programs here, with all rights of the user, or grant rights: it takes a client of
 * this machine or a token of scope `full`, also where nobody is asked for a token.
 *
 * @param what a sentence without its end, such as `"create_terminal" controls terminals`.
 * @throws AppError `FORBIDDEN`.
 */
export function checkControl(what: string, { local, scope, tokenId, doubt }: Caller): void {
  if (scope !== "full") {
    throw new AppError("FORBIDDEN", `${what}, which a token of scope "read" may not do; use one of scope "full".`);
  }
  if (!local && tokenId === null) {
    const who = doubt === undefined ? "clients on other machines may" : "this client may";
    const message = `${what}, which ${who} do only with an API token of scope "full": set "auth_enabled" to true.`;
    throw new AppError("FORBIDDEN", doubt === undefined ? message : `${message} ${doubt}`);
  }
}

const SHOWN: Record<TopicKind, string> = {
  common: "what every client may see",
  live: "what is said to an agent",
  terminal: "what is in a terminal",
};

/**
 * Refuses a caller who may not be told what is said in terminals and to agents.
 *
 * @throws AppError `FORBIDDEN`.
 */
export function checkTopics(topics: readonly Topic[], caller: Caller): void {
  const topic = topics.find((one) => kindOf(one) !== "common");
  if (topic !== undefined) checkControl(`The topic "${topic}" shows ${SHOWN[kindOf(topic)]}`, caller);
}
