import { USAGE_COLUMNS } from "./index-schema.ts";

/** The numbers of a usage, by column. */
export type UsageNumbers = Record<Exclude<(typeof USAGE_COLUMNS)[number], "cost">, number> & { cost: number | null };

/** An entry of an answer in a session, with what it adds to the usage of the answer there. */
export interface AnswerRow extends UsageNumbers {
  key: number;
  ordinal: number;
  answer: number;
  request: number | null;
  /** 2: it was only reported. */
  is_aside: 0 | 1 | 2;
  /** See `PlacedAnswer`. */
  model: number;
  tier: number;
  path: string;
  created: number;
}

/** An answer in a session that is known. */
export type StoredAnswer = Omit<AnswerRow, "key" | "path" | "created">;

/** By how much an entry counts more than its file says. */
export interface Correction extends UsageNumbers {
  key: number;
  ordinal: number;
  answer: number;
  model: number;
  tier: number;
}

/** An answer as one session has it. */
interface Copy {
  key: number;
  path: string;
  created: number;
  request: number | null;
  isAside: boolean;
  isReported: boolean;
  rows: AnswerRow[];
  usage: UsageNumbers;
}

const NOTHING: UsageNumbers = { input: 0, output: 0, cache_read: 0, cache_write: 0, cache_write_1h: 0, cost: null };

/**
 * Attributes each answer to one session: to the earliest one, where the origin comes before its forks and subagents. Of
 * its copies the one with the most output counts, since the others were written down before the answer was complete.
 *
 * @param rows of all answers with the same ID, in the order of keys and ordinals.
 * @param ancestors of a session, its parent first.
 */
export function attributed(rows: readonly AnswerRow[], ancestors: (key: number) => Iterable<number>): Correction[] {
  const { groups, left } = groupsOf(copiesOf(rows));
  const corrections = left.flatMap((copy) => copy.rows.flatMap((row) => correctionOf(row, NOTHING)));
  for (const copies of groups) {
    const owner = ownerOf(copies, ancestors);
    const counted = copies.reduce((best, copy) => (copy.usage.output > best.usage.output ? copy : best), owner);
    for (const copy of copies) {
      if (copy === owner && counted === owner) continue;
      for (const [place, row] of copy.rows.entries()) {
        corrections.push(...correctionOf(row, copy === owner && place === 0 ? counted.usage : NOTHING));
      }
    }
  }
  return corrections;
}

function copiesOf(rows: readonly AnswerRow[]): Copy[] {
  const copies = new Map<string, Copy>();
  for (const row of rows) {
    const { key, path, created, request } = row;
    const name = `${key} ${request}`;
    const copy = copies.get(name);
    if (copy === undefined) {
      const is = { isAside: row.is_aside > 0, isReported: row.is_aside === 2 };
      copies.set(name, { key, path, created, request, ...is, rows: [row], usage: row });
    } else {
      copy.rows.push(row);
      copy.usage = sum(copy.usage, row);
      copy.isAside &&= row.is_aside > 0;
      copy.isReported &&= row.is_aside === 2;
    }
  }
  return [...copies.values()].sort((a, b) => a.created - b.created || (a.path < b.path ? -1 : 1));
}

/**
 * Groups copies of the same answer. Agents that were started with a conversation write its answers under requests of
 * their own, which nobody has made: those are left out, unless the original is gone.
 */
function groupsOf(all: Copy[]): { groups: Copy[][]; left: Copy[] } {
  const written = all.filter(({ isReported }) => !isReported);
  // The agents' own files have what was reported of them.
  const copies = written.length === 0 ? all : written;
  const reported = written.length === 0 ? [] : all.filter(({ isReported }) => isReported);
  const originals = copies.filter(({ isAside }) => !isAside);
  if (originals.length === 0) return { groups: copies.length === 0 ? [] : [copies], left: reported };
  const groups = new Map<number | null, Copy[]>(originals.map(({ request }) => [request, []]));
  for (const copy of copies) groups.get(copy.request)?.push(copy);
  return { groups: [...groups.values()], left: [...reported, ...copies.filter(({ request }) => !groups.has(request))] };
}

/** @param copies the earliest first. */
function ownerOf(copies: readonly Copy[], ancestors: (key: number) => Iterable<number>): Copy {
  let owner = copies[0] as Copy;
  for (const key of ancestors(owner.key)) owner = copies.find((copy) => copy.key === key) ?? owner;
  return owner;
}

function correctionOf(row: AnswerRow, usage: UsageNumbers): Correction[] {
  const { key, ordinal, answer, model, tier } = row;
  const more = { ...NOTHING };
  for (const column of USAGE_COLUMNS) {
    if (column !== "cost") more[column] = usage[column] - row[column];
    else if (usage.cost !== row.cost) more.cost = (usage.cost ?? 0) - (row.cost ?? 0);
  }
  const isNothing = USAGE_COLUMNS.every((column) => (more[column] ?? 0) === 0);
  return isNothing ? [] : [{ key, ordinal, answer, model, tier, ...more }];
}

function sum(a: UsageNumbers, b: UsageNumbers): UsageNumbers {
  const total = { ...NOTHING };
  for (const column of USAGE_COLUMNS) {
    if (column !== "cost") total[column] = a[column] + b[column];
    else if (a.cost !== null || b.cost !== null) total.cost = (a.cost ?? 0) + (b.cost ?? 0);
  }
  return total;
}
