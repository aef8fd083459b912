import { AppError, parseQuery, withResolvedTimes } from "@sm/core";
import type { CommandInput } from "@sm/router/client";
import { readTimes } from "../url/typed-times.ts";
import type { SearchState } from "./search-state.ts";

/** A query that cannot be read. */
export interface QueryProblem {
  message: string;
  /** Where in the query that was typed, from 0; `null` where that is not known. */
  at: number | null;
}

export type SearchPayload = CommandInput<"search">;

/** What the service is asked; nothing where nothing is to be searched, or where the query has an error. */
export type SearchRequest =
  | { kind: "nothing" }
  | { kind: "problem"; problem: QueryProblem }
  | { kind: "search"; payload: SearchPayload };

/** Hits in a page: some screens of them. */
const PAGE = 50;
/** Hits of one session that are shown among those of others. */
export const PER_SESSION = 5;

/** Makes the payload of a search of its state. The query is read here first: its errors show while it is typed. */
export function searchRequest(state: SearchState, now: number): SearchRequest {
  const typed = state.q?.trim() ?? "";
  const fields = (["agent", "model", "tool"] as const)
    .map((name) => fieldOf(name, state[name]))
    .filter((field) => field !== null);
  // A role is asked for by itself, as a field; with words it is a field of the payload, which costs less.
  if (typed === "" && state.role !== undefined) fields.push(`role:${state.role}`);
  const isWrapped = typed !== "" && fields.length > 0;
  // `a OR b tool:x` would be `a OR (b tool:x)`.
  const query = [isWrapped ? `(${typed})` : typed, ...fields].filter((part) => part !== "").join(" ");
  if (query === "") return { kind: "nothing" };
  try {
    parseQuery(query);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const shift = (state.q ?? "").indexOf(typed) - (isWrapped ? 1 : 0);
    return { kind: "problem", problem: problemOf(error.message, shift, (state.q ?? "").length) };
  }
  const times = readTimes({ ...(state.since !== undefined && { since: state.since }) }, now);
  if ("problem" in times) return { kind: "problem", problem: { message: times.problem, at: null } };
  const { since } = times;
  return {
    kind: "search",
    payload: {
      // The service may have another clock and another time zone than the browser.
      query: withResolvedTimes(query, now),
      limit: PAGE,
      // One more tells that there are more.
      per_session: PER_SESSION + 1,
      ...(state.role !== undefined && { role: state.role }),
      ...(state.project !== undefined && { project: state.project }),
      ...(state.session !== undefined && { path: state.session }),
      ...(state.tag !== undefined && { tag_ids: state.tag }),
      ...(since !== null && { since: new Date(since).toISOString() }),
      ...(state.sort !== undefined && { sort: state.sort }),
    },
  };
}

/** Values come from records: quotes have no place in a query, and no model or tool has one in its name. */
function fieldOf(name: "agent" | "model" | "tool", value: string | undefined): string | null {
  return value === undefined ? null : `${name}:"${value.replaceAll('"', "")}"`;
}

/** Errors of queries name a column, counted from 1. */
function problemOf(message: string, shift: number, length: number): QueryProblem {
  const column = /\bcolumn (\d+)/.exec(message)?.[1];
  if (column === undefined) return { message, at: null };
  const at = Number(column) - 1 + shift;
  return { message, at: at >= 0 && at <= length ? at : null };
}
