import type { Whose } from "../hub/whose.ts";
import type { TimeRange } from "./range.ts";
import type { Subject } from "./statistics-search.ts";

/** Where the sessions behind a mark are found: an address of the page. */
export type SessionsLink = string;

/** What the sessions behind a mark have in common. */
export interface SessionsFilter extends Whose {
  range: Pick<TimeRange, "since" | "until">;
  project?: string | null | undefined;
  /** The name of a format. */
  agent?: string | undefined;
  model?: string | undefined;
  tool?: string;
}

/**
 * Finds an address that shows these sessions: the list where it has such a filter, else the search, which knows when
 * something was said and by whom.
 */
export function sessionsLink({ range, project, agent, model, tool, ...whose }: SessionsFilter): SessionsLink {
  const isAllTime = range.since === null && range.until === null;
  if (isAllTime && tool === undefined) return listLink({ project, agent, model, ...whose });
  return searchLink(
    [
      ...timeTerms(range.since, range.until),
      ...subjectTerms({ project, agent }),
      field("model", model),
      field("tool", tool),
    ],
    { project, agent, ...whose },
  );
}

/** Finds what was said between two times. */
export function timeLink(from: Date, to: Date, subject: Subject): SessionsLink {
  return searchLink([...timeTerms(from, to), ...subjectTerms(subject)], subject);
}

/** Finds what was said in any of some hours. */
export function hoursLink(hours: readonly Date[], subject: Subject): SessionsLink {
  const parts = hours.map((hour) => timeTerms(hour, new Date(hour.getTime() + HOUR_MS)).join(" "));
  const times = parts.length === 1 ? parts : [`(${parts.map((part) => `(${part})`).join(" OR ")})`];
  return searchLink([...times, ...subjectTerms(subject)], subject);
}

export function sessionLink(path: string): SessionsLink {
  return addressOf("/session", { path });
}

const HOUR_MS = 3_600_000;

type ListFilter = Pick<SessionsFilter, "project" | "agent" | "model" | keyof Whose>;

function searchLink(terms: readonly (string | null)[], filter: ListFilter): SessionsLink {
  const q = terms.filter((term) => term !== null).join(" ");
  return q === "" ? listLink(filter) : addressOf("/search", { q, ...whoseParams(filter) });
}

function listLink({ project, agent, model, ...whose }: ListFilter): SessionsLink {
  return addressOf("/", {
    ...(project && { project }),
    ...(agent !== undefined && { agent }),
    ...(model !== undefined && { model }),
    ...whoseParams(whose),
  });
}

/** As the list and the search have them in their addresses. */
function whoseParams({ mine, owner }: Whose): Record<string, string> {
  return { ...(mine === true && { mine: "1" }), ...(owner !== undefined && { owner }) };
}

function addressOf(path: string, search: Record<string, string>): string {
  const params = new URLSearchParams(search).toString();
  return params === "" ? path : `${path}?${params}`;
}

function subjectTerms({ project, agent }: Pick<SessionsFilter, "project" | "agent">): (string | null)[] {
  return [field("project", project), field("agent", agent)];
}

/** Nothing can stand for a quote in a quoted value; parts of names match as well. */
function field(name: string, value: string | null | undefined): string | null {
  if (value === undefined || value === null) return null;
  const text = value.replaceAll('"', " ").trim();
  return text === "" ? null : `${name}:"${text}"`;
}

function timeTerms(from: Date | null, to: Date | null): string[] {
  return [...(from === null ? [] : [`after:${timeText(from)}`]), ...(to === null ? [] : [`before:${timeText(to)}`])];
}

/** A time by the browser's clock, to the minute where it is a whole one, with its offset: the service may have another one. */
function timeText(time: Date): string {
  const offset = -time.getTimezoneOffset();
  const digits = time.getTime() % 60_000 === 0 ? "2026-11-21T10:00".length : "2026-11-21T10:00:00.000".length;
  const local = new Date(time.getTime() + offset * 60_000).toISOString().slice(0, digits);
  if (offset === 0) return `${local}Z`;
  const two = (number: number) => String(Math.floor(number)).padStart(2, "0");
  const size = Math.abs(offset);
  return `${local}${offset < 0 ? "-" : "+"}${two(size / 60)}:${two(size % 60)}`;
}
