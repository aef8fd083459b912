import { structuredPatch } from "diff";
import { type Hunk, type LineCounts, sumOf } from "./recorded-diff.ts";

/** A text that was replaced, and what by. */
export interface TextEdit {
  before: string;
  after: string;
}

/** A place of a file that was changed, as far as it is known, from its first to its last state. */
interface Passage {
  line: number | null;
  before: string[];
  after: string[];
}

export interface MergedDiff extends LineCounts {
  /** Hunks of a unified diff, without a head. */
  text: string;
  /** Whether hunks were left out of `text`. */
  isCut: boolean;
}

/** Lines around changes in a diff. */
const CONTEXT = 3;
/** More differing lines count as different completely: the search for the shortest script is quadratic. */
const MAX_EDITS = 1_000;
/**
 * Lines that are compared with earlier changes for all later ones of a file, about a second. Then changes stand for
 * themselves: the diff is longer, and no line is lost.
 */
const MAX_COMPARED = 20_000_000;
/** Characters of a line that are compared or searched in the time that a line takes. */
const CHARACTERS_OF_LINE = 50;
/** Longer texts are not made by replacing one everywhere, which may double them each time. */
const MAX_TEXT = 16 * 1024 * 1024;
/** Memory of a line besides its text. */
const BYTES_OF_LINE = 50;
/** Fewer letters of common lines, such as those of brackets, do not tell that two changes are of one place. */
const LEAST_COMMON = 8;

/** How much may still be compared. */
export interface Effort {
  left: number;
}

/** For the shortest scripts of all diffs of an answer: squares of differing lines, about a second. */
export function effortOfDiffs(): Effort {
  return { left: 10 * MAX_EDITS ** 2 };
}

/** What a session did to a file, merged from its changes in their order. The file itself is never read. */
export class MergedFile {
  #passages: Passage[] = [];
  /** The passage that is the whole file. */
  #whole: Passage | null = null;
  readonly #effort: Effort = { left: MAX_COMPARED };
  #bytes = 0;

  /** Memory of all changes, of which at most as much is kept. */
  get bytes(): number {
    return this.#bytes;
  }

  /** The whole file is another one. What it was is known as far as the session has written it. */
  write(content: string): LineCounts {
    const former = this.#whole?.after ?? [];
    this.#whole = { line: 1, before: this.#whole?.before ?? [], after: linesOf(content) };
    this.#passages = [this.#whole];
    this.#bytes += bytesOf(this.#whole.after);
    return hunkOf(former, this.#whole.after);
  }

  /** The file was removed. What it had is known as far as the session has written it. */
  delete(content: string | null): LineCounts {
    const former = content === null ? this.#passages.flatMap((passage) => passage.after) : linesOf(content);
    const known = this.#whole?.before ?? this.#passages.flatMap((passage) => passage.before);
    this.#whole = { line: 1, before: this.#whole === null && content !== null ? linesOf(content) : known, after: [] };
    this.#passages = [this.#whole];
    return { added: 0, removed: former.length };
  }

  /**
   * Texts were replaced. Tools replace a part of a line, too.
   *
   * @param hunks the lines, where they were recorded.
   */
  edit(edits: readonly TextEdit[], hunks: readonly Hunk[], isEverywhere = false): LineCounts {
    const given = edits.map(({ before, after }) => hunkOf(linesOf(before), linesOf(after)));
    const unknown = given.filter((_, at) => !this.#replace(edits[at] as TextEdit, isEverywhere));
    // Those that were found are in the recorded lines, too.
    const changes = hunks.length > 0 && unknown.length === edits.length ? hunks : unknown;
    for (const change of changes) this.change(change);
    return sumOf(hunks.length > 0 ? hunks : given);
  }

  /** Lines were replaced. Passages that they join become one. */
  change(hunk: Hunk): LineCounts {
    const { line, before, after } = hunk;
    this.#bytes += bytesOf(before) + bytesOf(after);
    let joined: Passage = { line, before: [...before], after: [...after] };
    for (let isJoined = true; isJoined; ) {
      isJoined = false;
      for (const [at, passage] of this.#passages.entries()) {
        if (this.#effort.left <= 0) break;
        this.#effort.left -= 1;
        const findOffset = passage === this.#whole ? placeIn : overlapOf;
        const offset = findOffset(passage.after, joined.before, this.#effort);
        if (offset === null) continue;
        joined = composed(passage, joined, offset);
        this.#effort.left -= joined.before.length + joined.after.length;
        if (passage === this.#whole) this.#whole = joined;
        this.#passages.splice(at, 1);
        isJoined = true;
        break;
      }
    }
    this.#passages.push(joined);
    return hunk;
  }

  /** @param limit characters of `text`, which ends with a whole hunk. */
  diff(limit = Number.POSITIVE_INFINITY, effort = effortOfDiffs()): MergedDiff {
    const merged: MergedDiff = { text: "", added: 0, removed: 0, isCut: false };
    for (const passage of this.#passages.toSorted(byLine)) {
      for (const { oldStart, newStart, lines } of hunksOf(passage, effort)) {
        const { added, removed } = countSigns(lines);
        const kept = lines.length - added - removed;
        const head = `@@ -${oldStart},${kept + removed} +${newStart},${kept + added} @@`;
        const text = `${[head, ...lines].join("\n")}\n`;
        merged.added += added;
        merged.removed += removed;
        merged.isCut ||= merged.text.length + text.length > limit;
        if (!merged.isCut) merged.text += text;
      }
    }
    return merged;
  }

  /** Replaces a text that the session has written before; `false` if it has not. */
  #replace({ before, after }: TextEdit, isEverywhere: boolean): boolean {
    if (before.trim() === "") return false;
    for (let at = this.#passages.length - 1; at >= 0 && this.#effort.left > 0; at--) {
      const passage = this.#passages[at] as Passage;
      const text = passage.after.join("\n");
      this.#effort.left -= 1 + passage.after.length + text.length / CHARACTERS_OF_LINE;
      if (!text.includes(before)) continue;
      const growth = (isEverywhere ? occurrences(text, before) : 1) * (after.length - before.length);
      if (text.length + growth > MAX_TEXT) return false;
      // Not a pattern: "$&" is a text of the file.
      passage.after = linesOf(isEverywhere ? text.replaceAll(before, () => after) : text.replace(before, () => after));
      this.#bytes += Math.max(0, growth);
      return true;
    }
    return false;
  }
}

function bytesOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + BYTES_OF_LINE + line.length, 0);
}

function occurrences(text: string, part: string): number {
  let count = 0;
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length)) count++;
  return count;
}

/** A change of lines whose place in the file is not known. What is in the middle of both counts as changed. */
export function hunkOf(before: string[], after: string[]): Hunk {
  const most = Math.min(before.length, after.length);
  let first = 0;
  while (first < most && before[first] === after[first]) first++;
  let last = 0;
  while (last < most - first && before.at(-1 - last) === after.at(-1 - last)) last++;
  const equal = first + last;
  return { line: null, before, after, added: after.length - equal, removed: before.length - equal };
}

function countSigns(lines: readonly string[]): LineCounts {
  const added = lines.filter((line) => line.startsWith("+")).length;
  return { added, removed: lines.filter((line) => line.startsWith("-")).length };
}

function linesOf(text: string): string[] {
  return text === "" ? [] : text.replace(/\n$/, "").split("\n");
}

function byLine(a: Passage, b: Passage): number {
  return (a.line ?? Number.POSITIVE_INFINITY) - (b.line ?? Number.POSITIVE_INFINITY) || 0;
}

/**
 * Where the lines of a later change begin in what an earlier one has left: negative before its first line. `null` if
 * both are of different places, as far as their lines tell.
 */
function overlapOf(earlier: readonly string[], later: readonly string[], effort: Effort): number | null {
  let best: { offset: number; common: number } | null = null;
  for (let offset = 1 - later.length; offset < earlier.length && effort.left > 0; offset++) {
    const from = Math.max(0, offset);
    const to = Math.min(earlier.length, offset + later.length);
    let letters = 0;
    let isEqual = true;
    for (let at = from; at < to && isEqual; at++) {
      const line = earlier[at] ?? "";
      isEqual = isSame(line, later[at - offset], effort);
      if (isEqual) letters += line.trim().length;
    }
    if (isEqual && letters >= LEAST_COMMON && to - from > (best?.common ?? 0)) best = { offset, common: to - from };
  }
  return effort.left > 0 ? (best?.offset ?? null) : null;
}

/** Where lines stand in a whole file; `null` if they do not, or are none. */
function placeIn(file: readonly string[], lines: readonly string[], effort: Effort): number | null {
  if (lines.length === 0) return null;
  for (let offset = 0; offset + lines.length <= file.length && effort.left > 0; offset++) {
    if (lines.every((line, at) => isSame(line, file[offset + at], effort))) return offset;
  }
  return null;
}

function isSame(line: string, other: string | undefined, effort: Effort): boolean {
  effort.left -= 1;
  if (line.length !== other?.length) return false;
  effort.left -= line.length / CHARACTERS_OF_LINE;
  return line === other;
}

/** Two changes of which the later one begins at an offset in what the earlier one has left. */
function composed(earlier: Passage, later: Passage, offset: number): Passage {
  const end = offset + later.before.length;
  const [head, rest] = [earlier.after.slice(0, Math.max(0, offset)), earlier.after.slice(Math.max(0, end))];
  const lead = later.before.slice(0, Math.max(0, -offset));
  const tail = later.before.slice(earlier.after.length - offset);
  return {
    line: offset < 0 ? (later.line ?? earlier.line) : earlier.line,
    before: [...lead, ...earlier.before, ...tail],
    after: [...head, ...later.after, ...rest],
  };
}

interface DiffHunk {
  oldStart: number;
  newStart: number;
  lines: string[];
}

function hunksOf({ line, before, after }: Passage, effort: Effort): DiffHunk[] {
  const first = line ?? 1;
  return changedPieces(before, after, effort).map(({ oldStart, newStart, lines }) => ({
    oldStart: before.length === 0 ? 0 : first + oldStart - 1,
    newStart: after.length === 0 ? 0 : first + newStart - 1,
    lines,
  }));
}

/** What differs, with the lines around it; everything, where nothing is common or the search takes too long. */
function changedPieces(before: readonly string[], after: readonly string[], effort: Effort): DiffHunk[] {
  const known = new Set(before);
  if (after.some((line) => known.has(line))) {
    const text = (lines: readonly string[]) => `${lines.join("\n")}\n`;
    const maxEditLength = Math.floor(Math.min(MAX_EDITS, Math.sqrt(effort.left)));
    const options = { context: CONTEXT, maxEditLength };
    const patch = structuredPatch("", "", text(before), text(after), "", "", options);
    const { added, removed } = countSigns(patch?.hunks.flatMap(({ lines }) => lines) ?? []);
    effort.left -= (patch === undefined ? maxEditLength : added + removed) ** 2;
    if (patch !== undefined) return patch.hunks;
  }
  const lines = [...before.map((line) => `-${line}`), ...after.map((line) => `+${line}`)];
  return lines.length === 0 ? [] : [{ oldStart: 1, newStart: 1, lines }];
}
