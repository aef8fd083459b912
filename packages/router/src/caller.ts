import type { Asker, TokenScope } from "@sm/core";
import type { Topic } from "./events/event.ts";

/** Who sends a request, as a transport found out. Its `signal` is aborted when the connection has closed. */
export interface Caller extends Asker {
  /** On the same machine. */
  local: boolean;
  /** `null`: not authenticated. */
  scope: TokenScope | null;
  /** The token that they came in with, `null` where none was needed. */
  tokenId: string | null;
  /** Why somebody who seems to be on the same machine does not count as local, in a sentence for them. */
  doubt?: string | undefined;
  /** Turns on push events of these topics, where the connection has any. */
  listen?(topics: readonly Topic[]): void;
}
