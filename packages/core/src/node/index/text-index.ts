import { isDeepStrictEqual } from "node:util";
import type { RawLine, SearchPart, SessionFormat } from "../../format/format.ts";
import { formatNamed } from "../../format/formats.ts";
import type { JsonObject } from "../../json.ts";
import { indexText } from "../../search/tokens.ts";
import type { Outline } from "../../session/outline.ts";
import { errorCode, isAbsence, isRefusal } from "../file-errors.ts";
import { type SessionFile, withSessionFile } from "../session-file.ts";
import type { SqliteDatabase, SqliteStatement } from "../sqlite.ts";
import type { FoundFile, IndexedSession, SessionKey } from "../threads/tasks.ts";
import { work } from "../work.ts";
import { type BlockRow, Blocks } from "./blocks.ts";
import type { Catalog } from "./catalog.ts";
import { Identifiers } from "./identifiers.ts";
import { partCode, partOfCode, textTable, VOICES, type Voice, voiceOf } from "./voices.ts";

/** Text that one transaction takes: more makes fewer segments to merge, less makes text searchable sooner. */
const BATCH_CHARACTERS = 24 * 1024 * 1024;

/** Pages that one step of merging writes: some 100 ms. */
const MERGE_PAGES = 1_000;

const NOTHING_TO_DO = { entries: 0, complete: true, misread: null, characters: 0 };

type ByVoice<T> = Record<Voice, T>;

/** Writes the text of sessions into one text database. */
export class TextIndex {
  readonly #database: SqliteDatabase;
  readonly #catalog: Catalog;
  readonly #blocks: Blocks;
  readonly #identifiers: Identifiers;
  readonly #insert: ByVoice<SqliteStatement>;
  readonly #remove: ByVoice<SqliteStatement>;
  readonly #progress: SqliteStatement;
  readonly #setProgress: SqliteStatement;
  readonly #removeProgress: SqliteStatement;

  constructor(database: SqliteDatabase, catalog: Catalog) {
    this.#database = database;
    this.#catalog = catalog;
    this.#blocks = new Blocks(database);
    this.#identifiers = new Identifiers(database);
    this.#insert = byVoice((voice) => database.prepare(`INSERT INTO ${textTable(voice)} (rowid, body) VALUES (?, ?)`));
    this.#remove = byVoice((voice) => database.prepare(`DELETE FROM ${textTable(voice)} WHERE rowid BETWEEN ? AND ?`));
    this.#progress = database.prepare("SELECT entries FROM progress WHERE key = ?").pluck();
    this.#setProgress = database.prepare("INSERT OR REPLACE INTO progress (key, entries) VALUES (?, ?)");
    this.#removeProgress = database.prepare("DELETE FROM progress WHERE key = ?");
  }

  readonly #rememberIdentifier = (parts: string): void => this.#identifiers.add(parts);

  /** Makes sessions searchable; each is left complete, or unfinished where the batch was full. */
  index(sessions: SessionKey[]): IndexedSession[] {
    const done: (IndexedSession & { entries: number })[] = [];
    this.#identifiers.forgetUncommitted();
    this.#database
      .transaction(() => {
        const nextRow = byVoice((voice) => this.#blocks.nextRow(voice));
        let room = BATCH_CHARACTERS;
        for (const session of sessions) {
          if (room <= 0) break;
          const { characters, ...indexed } = this.#indexSession(session, room, nextRow);
          room -= characters;
          done.push({ ...session, ...indexed });
        }
      })
      .immediate();
    this.#catalog.write(() => {
      for (const { key, entries } of done) this.#catalog.markIndexed(key, entries);
    });
    return done.map(({ entries, ...session }) => session);
  }

  /**
   * Merges what many transactions have written into one segment a table, and gives the room back to the file system.
   * Fewer segments make searches faster and the index some 6 % smaller. Does a step of it.
   *
   * @param isFirst whether a merge is to be begun, not gone on with.
   * @returns whether everything is merged.
   */
  tidy(isFirst: boolean): boolean {
    let isDone = true;
    for (const voice of VOICES) {
      const table = textTable(voice);
      const before = this.#totalChanges();
      // Negative: take all segments together; after that, each call goes on for that many pages.
      const pages = isFirst ? -MERGE_PAGES : MERGE_PAGES;
      this.#database.prepare(`INSERT INTO ${table} (${table}, rank) VALUES ('merge', ?)`).run(pages);
      // The documentation of FTS5: fewer than two changes mean that there was nothing to do.
      if (this.#totalChanges() - before >= 2) isDone = false;
    }
    if (isDone) this.#database.pragma("incremental_vacuum");
    return isDone;
  }

  #totalChanges(): number {
    return Number(this.#database.prepare("SELECT total_changes()").pluck().get());
  }

  /** Removes the text of contents that are gone. */
  sweep(shard: number): void {
    const keys = this.#catalog.droppedKeys(shard);
    this.#database
      .transaction(() => {
        for (const key of keys) {
          for (const { voice, first, rows } of this.#blocks.ofKey(key)) {
            this.#remove[voice].run(first, first + rows.length - 1);
          }
          this.#blocks.delete(key);
          this.#removeProgress.run(key);
        }
      })
      .immediate();
    this.#catalog.write(() => this.#catalog.swept(keys));
  }

  #indexSession(session: SessionKey, room: number, nextRow: ByVoice<number>) {
    const known = this.#catalog.find(session.path);
    // Rewritten or removed meanwhile: the scanner has dropped this content, so that nothing is left to do for it.
    if (known === null || known.key !== session.key) return NOTHING_TO_DO;
    const outline = this.#catalog.outline(session.key);
    const state = this.#catalog.state(session.key);
    const format = formatNamed(state?.format ?? "pi");
    const added = byVoice((): BlockRow[] => []);
    let ordinal = Number(this.#progress.get(session.key) ?? 0);
    let characters = 0;
    let presentNames: Set<number> | null = null;
    let misread: FoundFile | null = null;
    let isRefused = false;
    try {
      withSessionFile(session.path, (file) => {
        let isRenamed = false;
        for (; ordinal < outline.count && characters < room; ordinal++) {
          const { offset, length, role } = outline.at(ordinal);
          const line = file.line(offset, length, known.progress.bytes);
          if (state?.exact !== true && !isAsSkimmed(format, file.rawLine(offset, length), line)) {
            misread = { path: session.path, stamp: known.stamp, exact: true };
            break;
          }
          isRenamed ||= role === "name" || role === "label";
          // `null`: the file was changed under us; the next walk sees that and drops this content.
          if (line === null) continue;
          for (const part of format.parts(line)) {
            const voice = voiceOf(part.role);
            characters += this.#insertText(voice, nextRow[voice] + added[voice].length, part);
            added[voice].push({ ordinal, code: partCode(part.kind, part.role) });
          }
        }
        if (isRenamed) presentNames = presentNamesOf(file, outline, format);
      });
    } catch (error) {
      const code = errorCode(error);
      if (!isAbsence(code) && !isRefusal(code)) throw error;
      // Gone, or moved and found again with this content: then the text is still to be read.
      isRefused = true;
    }
    for (const voice of VOICES) {
      this.#blocks.put({ voice, first: nextRow[voice], key: session.key, rows: added[voice] });
      nextRow[voice] += added[voice].length;
    }
    if (presentNames !== null) this.#removeFormerNames(session.key, presentNames);
    this.#setProgress.run(session.key, ordinal);
    return { entries: ordinal, complete: isRefused || ordinal === outline.count, misread, characters };
  }

  #insertText(voice: Voice, row: number, part: SearchPart): number {
    const text = part.pieces.map((piece) => piece.text).join("\n");
    this.#insert[voice].run(row, indexText(text, this.#rememberIdentifier));
    work.rowsWritten++;
    return text.length;
  }

  /** Only the present name and labels are found, not those they replaced. */
  #removeFormerNames(key: number, present: ReadonlySet<number>): void {
    for (const { voice, first, rows } of this.#blocks.ofKey(key)) {
      for (const [place, { ordinal, code }] of rows.entries()) {
        const { kind } = partOfCode(code);
        const isFormer = (kind === "name" || kind === "label") && !present.has(ordinal);
        if (isFormer) this.#remove[voice].run(first + place, first + place);
      }
    }
  }
}

/** Whether a line that may have been skimmed is what its two ends told. */
function isAsSkimmed(format: SessionFormat, raw: RawLine, line: JsonObject | null): boolean {
  const told = format.skim?.(raw) ?? null;
  return told === null || (line !== null && isDeepStrictEqual(told, format.facts(line)));
}

/** Entries that set the name and the labels as they are. */
function presentNamesOf(file: SessionFile, outline: Outline, format: SessionFormat): Set<number> {
  const setBy = new Map<string, number>();
  for (let ordinal = 0; ordinal < outline.count; ordinal++) {
    const role = outline.role(ordinal);
    if (role !== "name" && role !== "label") continue;
    const { offset, length } = outline.at(ordinal);
    const line = file.line(offset, length, offset + length);
    if (line === null) continue;
    const { label } = format.facts(line);
    setBy.set(label === undefined ? "name" : `label ${label.targetId}`, ordinal);
  }
  return new Set(setBy.values());
}

function byVoice<T>(make: (voice: Voice) => T): ByVoice<T> {
  return { user: make("user"), assistant: make("assistant"), tool: make("tool"), other: make("other") };
}
