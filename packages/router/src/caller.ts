import type { Requester, TokenScope } from "@sm/core";
import type { Topic } from "./events/event.ts";

/** The sender of a request, as determined by a transport. Its `signal` is aborted when the connection is closed. */
export interface Caller extends Requester {
  /** On this machine. */
  local: boolean;
  /** `null`: not authenticated. */
  scope: TokenScope | null;
  /** The token used, `null` if none was required. */
  tokenId: string | null;
  /** Why a caller that seems to be on this machine does not count as local; a sentence for the error message. */
  doubt?: string | undefined;
  /** Subscribes the connection to push events of these topics, if it supports them. */
  listen?(topics: readonly Topic[]): void;
}
