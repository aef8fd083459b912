import type { CommandInput } from "@sm/router/client";
import { parseSearch, textIn } from "../url/search-params.ts";

/** A command as it is sent. */
export interface Question {
  readonly command: string;
  readonly payload: object;
}

/** Sessions that are loaded first: few, for a fast display. */
export const FIRST_SESSIONS = { sort: "modified", order: "desc", limit: 60 } as const;

/** Entries of the first page of a session: two screens of short ones. */
export const FIRST_ENTRIES = 50;

/** Asks for the last entries of the branch that ends at `leafId`; `null`: of the newest branch. */
export function lastEntries(path: string, leafId: string | null, limit: number): CommandInput<"read_transcript"> {
  return { path, limit, ...(leafId === null ? {} : { leaf_id: leafId }) };
}

/**
 * What the page asks first at an address, as it is sent: whatever differs from that is asked a second time.
 *
 * @param isKnown whether this tab has been here before: the session is read where one was in it, which is known later.
 */
export function firstQuestions(
  { pathname, search }: Pick<Location, "pathname" | "search">,
  isKnown: boolean,
): Question[] {
  const list = { command: "list_sessions", payload: FIRST_SESSIONS };
  const state = parseSearch(search);
  const path = textIn(state, "path");
  if (pathname !== "/session" || path === undefined || isKnown) return [list];
  const leafId = textIn(state, "entry") ?? textIn(state, "leaf") ?? null;
  return [{ command: "read_transcript", payload: lastEntries(path, leafId, FIRST_ENTRIES) }, list];
}
