import { readFileSync } from "node:fs";
import type { SearchPage, SessionPage } from "@sm/core";
import type { HubStack } from "./hub-stack.ts";
import { EVERY_LINE } from "./marked-session.ts";
import type { ExpectedSession } from "./simulated-machines.ts";

/** Words of one search, which has 1,000 characters at most. */
const MARKS_AT_ONCE = 35;
const SESSIONS_AT_ONCE = 500;

/** How the hub of one user differs from what its machines have; all 0: in nothing. */
export interface Differences {
  /** Sessions that are missing, are there without one on a machine, or twice. */
  sessions: number;
  /** Sessions whose bytes are others. */
  bytes: number;
  /** Words that no search finds, or more than one line for a word. */
  lost: number;
  twice: number;
  /** Words that are in no session any more, and are found. */
  gone: number;
}

/** Compares each session byte by byte, and searches every word that was written. */
export async function differences(
  stack: HubStack,
  token: string,
  expected: readonly ExpectedSession[],
  say: (text: string) => void,
): Promise<Differences> {
  const found: Differences = { sessions: 0, bytes: 0, lost: 0, twice: 0, gone: 0 };
  const listed = await listedPaths(stack, token);
  const wanted = new Set(expected.map(({ hubPath }) => hubPath));
  found.sessions += listed.filter((path) => !wanted.has(path)).length + (listed.length - new Set(listed).size);
  for (const session of expected) {
    if (!listed.includes(session.hubPath)) found.sessions++;
    else if (!(await hasSameBytes(stack, token, session))) {
      found.bytes++;
      say(`other bytes: ${session.hubPath}`);
    }
  }
  const search = (query: string, limit = 200) =>
    stack.command<SearchPage>(0, token, "search", { query, limit, per_session: limit });
  const marks = expected.flatMap((session) => session.marks);
  for (const group of groupsOf(marks, MARKS_AT_ONCE)) {
    const { total, hits } = await search(group.join(" OR "));
    const lines = new Set(hits.map((hit) => `${hit.session_path} ${hit.entry_id}`)).size;
    if (total === group.length && lines === group.length) continue;
    for (const mark of group) {
      const { total: ofMark } = await search(mark);
      if (ofMark === 0) found.lost++;
      if (ofMark > 1) found.twice++;
      if (ofMark !== 1) say(`found ${ofMark} times: ${mark}`);
    }
  }
  const { total } = await search(EVERY_LINE, 1);
  if (total > marks.length) found.twice += total - marks.length;
  if (total < marks.length) found.lost += marks.length - total;
  const gone = expected.flatMap((session) => session.gone);
  for (const group of groupsOf(gone, MARKS_AT_ONCE)) found.gone += (await search(group.join(" OR "), 1)).total;
  return found;
}

async function listedPaths(stack: HubStack, token: string): Promise<string[]> {
  const paths: string[] = [];
  for (let cursor: string | null = null; ; ) {
    const more: object = cursor === null ? {} : { cursor };
    const page: SessionPage = await stack.command(1, token, "list_sessions", { limit: SESSIONS_AT_ONCE, ...more });
    paths.push(...page.sessions.map(({ path }) => path));
    cursor = page.next_cursor;
    if (cursor === null) return paths;
  }
}

async function hasSameBytes(stack: HubStack, token: string, { path, hubPath }: ExpectedSession): Promise<boolean> {
  const address = new URL(`/api/export?path=${encodeURIComponent(hubPath)}&format=jsonl`, stack.urls[1]);
  const answer = await fetch(address, { headers: { Authorization: `Bearer ${token}` } });
  if (answer.status !== 200) return false;
  return readFileSync(path).equals(Buffer.from(await answer.arrayBuffer()));
}

function* groupsOf<Item>(items: readonly Item[], size: number): Generator<Item[]> {
  for (let at = 0; at < items.length; at += size) yield items.slice(at, at + size);
}
