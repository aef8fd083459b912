import type { FastFields } from "@sm/text-index";
import type { TextPieces } from "@sm/text-index/analysis";
import { decodeStored, verify } from "@sm/text-index/storage";
import type { SearchPart, SessionFormat } from "../../format/format.ts";
import { formatNamed } from "../../format/formats.ts";
import type { JsonObject } from "../../json.ts";
import { OUTLINE_CHUNK, Outline, type OutlineEntry } from "../../session/outline.ts";
import type { SessionFormatName } from "../../session/record.ts";
import { chunkId } from "../catalog/catalog-rows.ts";
import { STORED_SQL, type StoredSession, storedRecord } from "../catalog/stored-session.ts";
import type { LongLine } from "../session-file/long-line.ts";
import { SessionFile } from "../session-file/session-file.ts";
import type { SqliteDatabase } from "../storage/sqlite.ts";
import { textOf } from "./entry-text.ts";
import { partsInPieces } from "./long-entry.ts";
import { partOfCode } from "./part-codes.ts";

/** Session data in a hit. */
export interface SessionOfText {
  path: string;
  id: string;
  title: string;
  cwd: string | null;
  format: SessionFormatName;
}

/** Text of a document. */
export interface FoundText {
  session: SessionOfText;
  entry: OutlineEntry;
  part: Omit<SearchPart, "text">;
  /** Long texts come in pieces, valid until the next text is read. */
  text: TextPieces;
}

/** A document by its segment's columns and its number there. */
export interface DocumentPlace {
  documents: FastFields;
  document: number;
}

/** Reads the texts of documents. */
export interface TextReader {
  /** Told which texts are read next, so that they can be fetched together. */
  expect(wanted: readonly DocumentPlace[]): void;
  /** Bytes to read for a document. */
  sizeOf(documents: FastFields, document: number): number;
  /** `null` if the file is missing or has changed. */
  read(documents: FastFields, document: number): FoundText | null;
}

/** Where sessions and their outlines are kept. */
export interface TextCatalog {
  session(key: number): SessionOfText | null;
  /** A chunk of an outline. @param place its number. */
  outline(key: number, place: number): Outline | null;
  /** @throws errors of the file system. */
  open(session: SessionOfText, key: number): SessionFile;
}

interface OpenedSession {
  key: number;
  session: SessionOfText;
  file: SessionFile;
}

type PartOfEntry = Pick<FoundText, "part" | "text">;

/** The catalog of a library's index. */
export class SqliteTextCatalog implements TextCatalog {
  readonly #record;
  readonly #chunk;

  constructor(catalog: SqliteDatabase) {
    this.#record = catalog.prepare<[number], StoredSession>(`${STORED_SQL} WHERE key = ? AND status = 'session'`);
    this.#chunk = catalog.prepare<[number], { entries: Buffer; checksum: number }>(
      "SELECT entries, checksum FROM outlines WHERE id = ?",
    );
  }

  session(key: number): SessionOfText | null {
    const row = this.#record.get(key);
    return row === undefined ? null : storedRecord(row);
  }

  outline(key: number, place: number): Outline | null {
    const chunk = chunkId(key, place);
    const row = this.#chunk.get(chunk);
    if (row === undefined) return null;
    verify(row.checksum, chunk, row.entries);
    return decodeStored(() => Outline.decodeAlone(row.entries, place * OUTLINE_CHUNK));
  }

  open({ path }: SessionOfText): SessionFile {
    return new SessionFile(path);
  }
}

/** Reads the texts of documents from their files. The last file stays open until `close`. */
export class Texts implements TextReader {
  readonly #catalog: TextCatalog;
  /** Cache of the last chunk: successive entries are often close to each other. */
  #last: { key: number; place: number; entries: Outline | null } | null = null;
  #open: OpenedSession | null = null;

  constructor(catalog: TextCatalog) {
    this.#catalog = catalog;
  }

  expect(): void {
    // What is on this machine is read when it is needed.
  }

  sizeOf(documents: FastFields, document: number): number {
    return this.entryOf(documents, document)?.length ?? 0;
  }

  read(documents: FastFields, document: number): FoundText | null {
    const { keys, parts, codes } = documents;
    const entry = this.entryOf(documents, document);
    if (entry === null) return null;
    const open = this.#fileOf(keys[document] ?? 0);
    if (open === null) return null;
    const found = partAt(open, formatNamed(open.session.format), entry, parts[document] ?? 0);
    const { kind, role } = partOfCode(codes[document] ?? 0);
    return found?.part.kind === kind && found.part.role === role ? { session: open.session, entry, ...found } : null;
  }

  close(): void {
    this.#last = null;
    this.#open?.file.close();
    this.#open = null;
  }

  /** The outline's entry of a document; `null` if there is none. */
  entryOf({ keys, ordinals }: FastFields, document: number): OutlineEntry | null {
    const key = keys[document] ?? 0;
    const ordinal = ordinals[document] ?? 0;
    const inChunk = ordinal % OUTLINE_CHUNK;
    const place = (ordinal - inChunk) / OUTLINE_CHUNK;
    if (this.#last?.key !== key || this.#last.place !== place) {
      this.#last = { key, place, entries: this.#catalog.outline(key, place) };
    }
    const { entries } = this.#last;
    return entries === null || inChunk >= entries.count ? null : entries.at(inChunk);
  }

  #fileOf(key: number) {
    if (this.#open?.key === key) return this.#open;
    this.#open?.file.close();
    this.#open = null;
    const session = this.#catalog.session(key);
    if (session === null) return null;
    try {
      this.#open = { key, session, file: this.#catalog.open(session, key) };
    } catch {
      // Missing or unreadable since it was indexed: no hit, but not an error.
    }
    return this.#open;
  }
}

/** `null` if another entry is at its position: the file was rewritten since. */
function partAt(
  { file, session }: OpenedSession,
  format: SessionFormat,
  entry: OutlineEntry,
  place: number,
): PartOfEntry | null {
  const { offset, length } = entry;
  try {
    const long = file.longLine(offset, length);
    const found = long === null ? null : partInPieces(long, format, entry, place);
    if (found !== null && found.part.outputFile === undefined) return found;
    const line = file.line(offset, length, offset + length);
    const part = line === null || isOther(line, entry) ? undefined : format.parts(line, entry.role)[place];
    if (part === undefined) return null;
    const text = textOf(part, format, session.path);
    // Gone since it was indexed.
    return text === "" && part.outputFile !== undefined ? null : { part, text };
  } catch {
    return null;
  }
}

/** `null` if the line must be parsed completely. */
function partInPieces(long: LongLine, format: SessionFormat, entry: OutlineEntry, place: number): PartOfEntry | null {
  const line = long.named();
  const part = line === null || isOther(line, entry) ? undefined : partsInPieces(format, long, entry.role)?.[place];
  return part === undefined ? null : { part, text: readable(long.smallPieces(part.text)) };
}

function isOther({ id }: JsonObject, entry: OutlineEntry): boolean {
  return typeof id === "string" && id !== entry.id;
}

/** A text that becomes unreadable ends; the search continues. */
function* readable(pieces: Iterable<string>): Generator<string> {
  try {
    yield* pieces;
  } catch {}
}
