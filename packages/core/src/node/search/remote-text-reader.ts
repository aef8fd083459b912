import type { FastFields } from "@sm/text-index";
import { decodeStored } from "@sm/text-index/storage";
import { OUTLINE_CHUNK, Outline } from "../../session/outline.ts";
import { LONG_LINE_BYTES } from "../session-file/long-line.ts";
import { openSessionBytes, type SessionBytes } from "../session-file/session-bytes.ts";
import { SessionFile } from "../session-file/session-file.ts";
import { isPacked } from "../session-file/session-file-name.ts";
import type { KnownLines } from "./known-lines.ts";
import type { AskTexts, LinePlace, OutlinePlace, SessionOfTexts } from "./remote-texts.ts";
import { type DocumentPlace, type FoundText, type TextCatalog, type TextReader, Texts } from "./texts.ts";

/** Of lines that are fetched together; the others are fetched when they are read. */
const MOST_BYTES = 8 * 1024 * 1024;

/** Reads texts that are kept elsewhere, in one search. What is expected is fetched with two questions. */
export class RemoteTextReader implements TextReader, TextCatalog {
  readonly #ask: AskTexts;
  readonly #known: KnownLines;
  readonly #texts = new Texts(this);
  readonly #sessions = new Map<number, SessionOfTexts | null>();
  readonly #outlines = new Map<string, Outline | null>();
  /** Those that are read next, by content and offset. */
  #lines = new Map<string, Uint8Array>();

  constructor(ask: AskTexts, known: KnownLines) {
    this.#ask = ask;
    this.#known = known;
  }

  expect(wanted: readonly DocumentPlace[]): void {
    const places = new Map<string, OutlinePlace>();
    for (const { documents, document } of wanted) {
      const key = documents.keys[document] ?? 0;
      const place = Math.floor((documents.ordinals[document] ?? 0) / OUTLINE_CHUNK);
      const name = `${key} ${place}`;
      if (!this.#outlines.has(name)) places.set(name, { key, place });
    }
    this.#fetchPlaces([...places.values()]);
    this.#fetchLines(wanted);
  }

  sizeOf(documents: FastFields, document: number): number {
    return this.#texts.sizeOf(documents, document);
  }

  read(documents: FastFields, document: number): FoundText | null {
    return this.#texts.read(documents, document);
  }

  close(): void {
    this.#texts.close();
  }

  session(key: number): SessionOfTexts | null {
    if (!this.#sessions.has(key)) this.#fetchPlaces([{ key, place: 0 }]);
    return this.#sessions.get(key) ?? null;
  }

  outline(key: number, place: number): Outline | null {
    const name = `${key} ${place}`;
    if (!this.#outlines.has(name)) this.#fetchPlaces([{ key, place }]);
    return this.#outlines.get(name) ?? null;
  }

  open({ path }: SessionOfTexts, key: number): SessionFile {
    const content = this.session(key)?.content ?? 0;
    return new SessionFile(path, new FetchedLines(path, (offset) => this.#lines.get(`${content} ${offset}`) ?? null));
  }

  #fetchPlaces(places: OutlinePlace[]): void {
    if (places.length === 0) return;
    const found = this.#ask("textPlaces", places);
    for (const [at, { key, place }] of places.entries()) {
      const { session = null, outline: chunk = null } = found[at] ?? {};
      const outline = chunk === null ? null : decodeStored(() => Outline.decodeAlone(chunk, place * OUTLINE_CHUNK));
      this.#sessions.set(key, session);
      this.#outlines.set(`${key} ${place}`, outline);
    }
  }

  #fetchLines(wanted: readonly DocumentPlace[]): void {
    this.#lines = new Map();
    const missing = new Map<string, LinePlace>();
    let bytes = 0;
    for (const { documents, document } of wanted) {
      const session = this.session(documents.keys[document] ?? 0);
      const entry = session === null || isPacked(session.path) ? null : this.#texts.entryOf(documents, document);
      if (session === null || entry === null || entry.length >= LONG_LINE_BYTES) continue;
      const { offset, length } = entry;
      const place = { content: session.content, offset, length };
      const name = `${place.content} ${offset}`;
      if (this.#lines.has(name) || missing.has(name)) continue;
      const known = this.#known.get(place);
      if (known !== null) {
        this.#lines.set(name, known);
        continue;
      }
      bytes += length;
      if (bytes > MOST_BYTES) break;
      missing.set(name, place);
    }
    if (missing.size === 0) return;
    const lines = this.#ask("lines", [...missing.values()]);
    let at = 0;
    for (const [name, place] of missing) {
      const line = lines[at++];
      if (line === undefined) continue;
      this.#lines.set(name, line);
      this.#known.add(place, line);
    }
  }
}

/** The bytes of a session, some lines of which are here already. */
class FetchedLines implements SessionBytes {
  readonly real = null;
  readonly fromVault = false;
  readonly #path: string;
  readonly #lineAt: (offset: number) => Uint8Array | null;
  #opened: SessionBytes | null = null;

  constructor(path: string, lineAt: (offset: number) => Uint8Array | null) {
    this.#path = path;
    this.#lineAt = lineAt;
  }

  stamp() {
    return this.#file.stamp();
  }

  permissions(): number {
    return this.#file.permissions();
  }

  read(buffer: Buffer, at: number, offset: number): number {
    const line = this.#lineAt(offset);
    if (line === null || line.length < buffer.length - at) return this.#file.read(buffer, at, offset);
    buffer.set(line.subarray(0, buffer.length - at), at);
    return buffer.length - at;
  }

  close(): void {
    this.#opened?.close();
    this.#opened = null;
  }

  get #file(): SessionBytes {
    this.#opened ??= openSessionBytes(this.#path);
    return this.#opened;
  }
}
