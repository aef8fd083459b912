import { isAgentNamed } from "@sm/core";
import type { SessionRecord } from "@sm/router/client";
import { readTimes } from "../url/typed-times.ts";
import { type ListSearch, orderOf } from "./list-search.ts";

/** Chooses the sessions that a list shows, in its order: none where its times cannot be read. */
export function selectSessions(
  records: Iterable<SessionRecord>,
  search: ListSearch,
  tagsBelow: (id: string) => readonly string[],
  now: Date,
): SessionRecord[] {
  const matches = matcher(search, tagsBelow, now);
  return [...records].filter(matches).sort(comparison(search));
}

function matcher(
  search: ListSearch,
  tagsBelow: (id: string) => readonly string[],
  now: Date,
): (record: SessionRecord) => boolean {
  const typed = fold(search.q ?? "")
    .split(/\s+/)
    .filter((word) => word !== "");
  const words = typed.filter((word) => !AGENT.test(word) && !OUTCOME.test(word) && word !== EXPIRING);
  const isExpiring = typed.includes(EXPIRING);
  const outcomes = typed.flatMap((word) => OUTCOME.exec(word)?.[1] ?? []);
  const agents = [
    ...typed.flatMap((word) => AGENT.exec(word)?.[1] ?? []),
    ...(search.agent === undefined ? [] : [search.agent]),
  ];
  const tags = new Set(search.tag?.flatMap((id) => [id, ...tagsBelow(id)]));
  const times = readTimes(search, now.getTime());
  if ("problem" in times) return () => false;
  const { since, until } = times;
  return (record) => {
    if (search.project !== undefined && record.cwd !== search.project) return false;
    if (isExpiring && record.expires_at === null) return false;
    if (!outcomes.every((outcome) => record.outcome === outcome)) return false;
    if (search.favorites === true && !record.is_favorite) return false;
    if (search.live === true && !record.is_live) return false;
    if (search.mine === true && record.owner !== null) return false;
    if (search.owner !== undefined && record.owner !== search.owner) return false;
    if (search.model !== undefined && !record.models.includes(search.model)) return false;
    if (!agents.every((agent) => isAgentNamed(agent, record.format, false))) return false;
    if (tags.size > 0 && !record.tag_ids.some((id) => tags.has(id))) return false;
    if (since !== null || until !== null) {
      const modified = Date.parse(record.modified_at);
      if ((since !== null && modified < since) || (until !== null && modified >= until)) return false;
    }
    if (words.length === 0) return true;
    const text = textOf(record);
    return words.every((word) => text.includes(word));
  };
}

/** As in lists of the service. */
const AGENT = /^agent:(.+)$/;
const EXPIRING = "is:expiring";
const OUTCOME = /^is:(failed|aborted)$/;

/** Cache: folding all texts for every typed letter would take longer than the letter. */
const folded = new WeakMap<SessionRecord, string>();

function textOf(record: SessionRecord): string {
  const known = folded.get(record);
  if (known !== undefined) return known;
  const parts = [
    record.title,
    record.cwd,
    record.first_message,
    record.last_message,
    record.id,
    record.path,
    ...record.models,
  ];
  const text = fold(parts.filter((part) => part !== null).join("\n"));
  folded.set(record, text);
  return text;
}

/** Without case and marks. */
function fold(text: string): string {
  return text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
}

const titles = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" });

function comparison(search: ListSearch): (a: SessionRecord, b: SessionRecord) => number {
  const direction = orderOf(search) === "asc" ? 1 : -1;
  const compare = COMPARISONS[search.sort ?? "modified"];
  // Paths make the order one and the same, whatever order the records come in.
  return (a, b) =>
    direction * compare(a, b) || compareText(b.modified_at, a.modified_at) || compareText(a.path, b.path);
}

const COMPARISONS: Record<NonNullable<ListSearch["sort"]>, (a: SessionRecord, b: SessionRecord) => number> = {
  modified: (a, b) => compareText(a.modified_at, b.modified_at),
  created: (a, b) => compareText(a.created_at, b.created_at),
  size: (a, b) => a.size_bytes - b.size_bytes,
  messages: (a, b) => a.message_count - b.message_count,
  cost: (a, b) => costOf(a) - costOf(b),
  title: (a, b) => titles.compare(a.title, b.title),
};

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** As the service sorts: what is estimated counts where nothing is recorded. */
function costOf({ usage: { cost_usd, estimated_cost_usd } }: SessionRecord): number {
  return cost_usd === null && estimated_cost_usd === null ? -1 : (cost_usd ?? 0) + (estimated_cost_usd ?? 0);
}
