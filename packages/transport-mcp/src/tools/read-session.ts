import {
  fittingText,
  MOST_OF_ENTRY,
  type Reference,
  readReference,
  referenceOf,
  type SessionRecord,
  type Texts,
  textsOf,
} from "@sm/core";
import { type Answer, type AnswerItem, Budget, counted, fittingCursor, joinAnswer, shortTime } from "../answer.ts";
import { type McpContext, othersTurn } from "../context.ts";
import { decodeCursor, encodeCursor, type SessionCursor, sourceChanged } from "../cursor.ts";
import { type Item, PAGE, SessionPages } from "../session-pages.ts";
import { describeSession, findSession } from "../sessions.ts";
import { budgetOf, maxChars, tool } from "../tool.ts";
import { ToolError } from "../tool-error.ts";

export const readSession = tool({
  name: "read_session",
  title: "Read a session",
  description:
    "Reads entries of a session as text: around an entry (ref session-id#entry-id, as search_past_work gives it), " +
    "before or after one, or the end of the session (ref session-id). Long entries are cut; a ref with that " +
    "entry's id shows more of it, and the cursor goes on.",
  inputSchema: {
    type: "object",
    properties: {
      ref: { type: "string", description: "session-id or session-id#entry-id" },
      around: { type: "string", description: "Entry id" },
      before: { type: "string", description: "Entry id" },
      after: { type: "string", description: "Entry id" },
      max_chars: maxChars,
      cursor: { type: "string", maxLength: 8_192 },
    },
    required: ["ref"],
  },
  async run(args, context) {
    const reference = readReference(args.ref);
    const cursor = args.cursor === undefined ? null : decodeCursor(args.cursor);
    const record = await findSession(reference, context);
    const pages = new SessionPages(record.path, context);
    const place = cursor ?? placeOf(args, reference);
    const revision = await pages.revision(place.side === "before" ? null : place.entry);
    if (cursor !== null && (cursor.revision !== revision || cursor.session !== record.id)) throw sourceChanged();
    const reading = new Reading(record, pages, revision, context, budgetOf(args));
    switch (place.side) {
      case "before":
        return reading.before(place.entry);
      case "after":
        return reading.after(place.entry);
      case "in":
        return reading.rest(place.entry, place.offset);
      case "around":
        return reading.around(place.entry);
    }
  },
});

/** What an answer has of a session; `before` without an entry is its end. */
type Place =
  | { side: "before"; entry: string | null }
  | { side: "after" | "around"; entry: string }
  | { side: "in"; entry: string; offset: number };

function placeOf(
  args: { before?: string | undefined; after?: string | undefined; around?: string | undefined },
  reference: Reference,
): Place {
  const { before, after, around = reference.entry } = args;
  if (after !== undefined) return { side: "after", entry: entryId(after) };
  if (before !== undefined) return { side: "before", entry: entryId(before) };
  return around === null ? { side: "before", entry: null } : { side: "around", entry: entryId(around) };
}

/** Models give whole references where an id is meant. */
function entryId(text: string): string {
  const { session, entry } = readReference(text);
  return entry ?? session;
}

/** Share of the budget that the entry in question may take, and any other. */
const OWN_SHARE = 0.6;
const OTHER_SHARE = 0.25;
/** Room for the role and the time of an entry, besides its id. */
const ENTRY_FRAME = 200;
/** Where less is left no entry is begun: what is left of the session is for another answer. */
const LEAST_ROOM = 400;
/** Content before the entry in question. */
const BEFORE_SHARE = 0.3;
/** Entry IDs of one session differ a little in length. */
const LONGER_ID = "x".repeat(16);

/** One answer with entries of a session. */
class Reading {
  readonly #record: SessionRecord;
  readonly #pages: SessionPages;
  readonly #revision: string;
  readonly #texts: Texts;
  readonly #most: number;
  readonly #beginning: Answer;
  readonly #budget: Budget;
  /** As long as the room that is kept for a cursor. */
  readonly #room: string;
  #lastYield = performance.now();

  constructor(record: SessionRecord, pages: SessionPages, revision: string, context: McpContext, most: number) {
    this.#record = record;
    this.#pages = pages;
    this.#revision = revision;
    this.#texts = textsOf(context, record.cwd);
    this.#most = most;
    const { text, data } = describeSession(record, this.#texts);
    this.#beginning = { text: `Session ${text}`, data: { session: data } };
    const longest = this.#encode("before", revision + LONGER_ID, MOST_OF_ENTRY);
    this.#room = fittingCursor(longest, most) ?? "";
    this.#budget = new Budget(most, this.#beginning, this.#room);
  }

  /** The rest of an entry, and what follows it. */
  async rest(entry: string, offset: number): Promise<Answer> {
    const item = await this.#entry(entry);
    const first = this.#taken(this.#item(item, this.#budget.left, { offset }));
    return this.#forward(first === null ? [] : [first], entry, first);
  }

  async around(id: string): Promise<Answer> {
    const item = await this.#entry(id, PAGE);
    const own = this.#taken(this.#item(item, Math.floor(this.#most * OWN_SHARE), { offset: 0 }));
    const before: Shown[] = [];
    const least = this.#budget.left - Math.floor(this.#most * BEFORE_SHARE);
    for await (const one of this.#pages.before(id)) {
      if (this.#budget.left - least < LEAST_ROOM) break;
      const shown = this.#item(one, Math.min(this.#budget.left - least, this.#otherLimit));
      if (shown === null) continue;
      if (this.#budget.left - shown.text.length < least || !this.#budget.take(shown)) break;
      before.unshift(shown);
      await this.#pace();
    }
    return this.#forward(own === null ? before : [...before, own], id, own);
  }

  async after(id: string): Promise<Answer> {
    await this.#entry(id);
    return this.#forward([], id, null);
  }

  async before(id: string | null): Promise<Answer> {
    if (id !== null) await this.#entry(id, PAGE);
    const { items, last, hasMore } = await this.#read(this.#pages.before(id), false);
    const cursor = hasMore && last !== null ? this.#cursor("before", last) : null;
    return this.#end(items.toReversed(), cursor === null ? "" : `Earlier entries with cursor "${cursor}".`, cursor);
  }

  /** @param last what the entries follow, if it is shown. */
  async #forward(items: Shown[], id: string, last: Shown | null): Promise<Answer> {
    if (last !== null && last.left > 0 && last.shown > 0) {
      const next = last.offset + last.shown;
      if (next < MOST_OF_ENTRY) {
        const cursor = this.#cursor("in", id, next);
        return this.#end(items, cursor === null ? "" : `The rest of this entry with cursor "${cursor}".`, cursor);
      }
    }
    const read = await this.#read(this.#pages.after(id), items.length > 0);
    const isFurther = items.length > 0 || read.last !== null;
    const cursor = read.hasMore && isFurther ? this.#cursor("after", read.last ?? id) : null;
    const ending = cursor === null ? "" : `Later entries with cursor "${cursor}".`;
    return this.#end([...items, ...read.items], ending, cursor);
  }

  /**
   * Reads entries as long as there is room for them.
   *
   * @param hasItems whether the answer has others already.
   * @returns what is shown of them, the last one that was read, and whether there are more behind it.
   */
  async #read(
    entries: AsyncIterable<Item>,
    hasItems: boolean,
  ): Promise<{ items: Shown[]; last: string | null; hasMore: boolean }> {
    const items: Shown[] = [];
    let last: string | null = null;
    for await (const one of entries) {
      const isBegun = hasItems || items.length > 0;
      if (isBegun && this.#budget.left < LEAST_ROOM) return { items, last, hasMore: true };
      const shown = this.#item(one, this.#otherLimit);
      if (shown !== null) {
        if (this.#budget.take(shown)) items.push(shown);
        // One that has no room in an answer of its own is passed over.
        else if (isBegun) return { items, last, hasMore: true };
        await this.#pace();
      }
      last = one.id;
    }
    return { items, last, hasMore: this.#pages.endedEarly };
  }

  /** The item if there is room for it. */
  #taken(item: Shown | null): Shown | null {
    return item !== null && this.#budget.take(item) ? item : null;
  }

  get #otherLimit(): number {
    return Math.floor(this.#most * OTHER_SHARE);
  }

  async #entry(id: string, ahead = 0): Promise<Item> {
    const item = await this.#pages.entry(id, ahead);
    if (item !== null) return item;
    throw new ToolError("not_found", `The session ${referenceOf(this.#record.id)} has no entry "${id.slice(0, 100)}".`);
  }

  /** An entry as an item of the answer, be it from a character on; `null` if it tells nothing. */
  #item(item: Item, room: number, start?: { offset: number }): Shown | null {
    const ofId = Math.max(referenceOf(item.id).length, JSON.stringify(item.id).length);
    const limit = Math.max(0, Math.min(room, this.#budget.left) - ENTRY_FRAME - ofId);
    const offset = start?.offset ?? 0;
    const read = fittingText(item, this.#texts, { offset, limit, inOrder: start !== undefined });
    if (read === null) return null;
    const { text, left } = read;
    const { id, timestamp } = item;
    const rest = left > 0 ? `\n[… ${counted(left, "more character")} …]` : "";
    const head = `#${referenceOf(id)} ${shortTime(timestamp)} ${read.role}${read.isError ? " (failed)" : ""}`;
    return {
      id,
      offset,
      shown: text.length,
      left,
      text: `${head}\n${text}${rest}`,
      data: {
        entry_id: id,
        role: read.role,
        time: timestamp,
        text,
        ...(read.isError && { failed: true }),
        ...(left > 0 && { characters_left_out: left }),
      },
    };
  }

  /** `null` if it is longer than the room that was kept for it. */
  #cursor(side: SessionCursor["side"], entry: string, offset = 0): string | null {
    const cursor = this.#encode(side, entry, offset);
    return cursor.length <= this.#room.length ? cursor : null;
  }

  #encode(side: SessionCursor["side"], entry: string, offset: number): string {
    return encodeCursor({ session: this.#record.id, revision: this.#revision, side, entry, offset });
  }

  /** Redacting takes the main thread some milliseconds for each long entry. */
  async #pace(): Promise<void> {
    if (performance.now() - this.#lastYield < 5) return;
    await othersTurn();
    this.#lastYield = performance.now();
  }

  #end(items: readonly AnswerItem[], text: string, cursor: string | null): Answer {
    const ending = items.length === 0 ? `There are no entries with a text here. ${text}`.trim() : text;
    return joinAnswer(
      this.#beginning,
      "entries",
      items.map(({ text, data }) => ({ text, data })),
      {
        text: ending,
        data: cursor === null ? {} : { next_cursor: cursor },
      },
    );
  }
}

interface Shown extends AnswerItem {
  id: string;
  /** First shown character of the entry's text, and how many are shown and left. */
  offset: number;
  shown: number;
  left: number;
}
