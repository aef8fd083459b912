import type { SendCommand } from "./commands.ts";

/** What tools, resources and prompts use to answer one request. */
export interface McpContext {
  send: SendCommand;
  /** ID of the session that asks, which is left out of what is found; `null` if it did not say. */
  ownSession: string | null;
  /** Whether secrets and personal data are replaced, as in redacted exports. */
  redacts: boolean;
  /** Milliseconds since 1970. */
  now(): number;
}

/** Lets others have their turn: a few thousand characters are redacted in a millisecond. */
export function othersTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
