import { AppError } from "@sm/core";
import type { Caller } from "./dispatcher.ts";
import { kindOf, type Topic } from "./events/event.ts";

/**
 * Refuses a caller who may not decide which programs run here, with all rights of the user: it takes a client of this
 * machine or a token of scope `full`, also where nobody is asked for a token.
 *
 * @throws AppError `FORBIDDEN`.
 */
export function checkControl(what: string, { local, scope, tokenId }: Caller): void {
  if (scope !== "full") {
    throw new AppError(
      "FORBIDDEN",
      `${what} can make this machine run programs, which a token of scope "read" may not do.`,
    );
  }
  if (!local && tokenId === null) {
    throw new AppError(
      "FORBIDDEN",
      `${what} can make this machine run programs, which clients on other machines may do with an API token only: set "auth_enabled" to true.`,
    );
  }
}

/**
 * Refuses a caller who may not be told what is said in terminals and to agents.
 *
 * @throws AppError `FORBIDDEN`.
 */
export function checkTopics(topics: readonly Topic[], caller: Caller): void {
  const topic = topics.find((one) => kindOf(one) !== "common");
  if (topic !== undefined) checkControl(`The topic "${topic}"`, caller);
}
