import { closeSync, openSync, utimesSync, writeSync } from "node:fs";
import { type EntryBase, type EntryBody, searchableTexts } from "./entry.ts";
import type { Random } from "./random.ts";

/** Small: a collector that frees megabytes for every session would take half of the time of generating short ones. */
const BUFFER_BYTES = 256 * 1024;

/** Appends entries to a session file in the order of keys that the agent writes, and counts what it wrote. */
export class SessionWriter {
  readonly #random: Random;
  readonly #file: number;
  readonly #path: string;
  readonly #ids = new Set<string>();
  readonly #buffer = Buffer.allocUnsafe(BUFFER_BYTES);
  #buffered = 0;
  #bytes = 0;
  #textBytes = 0;
  #time: number;
  /** Where the next entry is attached. Set it to an earlier entry to begin a branch. */
  leaf: string | null = null;

  /** @throws when the file exists. */
  constructor(path: string, header: { id: string; cwd: string; startedAt: number }, random: Random) {
    this.#random = random;
    this.#path = path;
    this.#time = header.startedAt;
    this.#file = openSync(path, "wx");
    const timestamp = new Date(header.startedAt).toISOString();
    this.#write({ type: "session", version: 3, id: header.id, timestamp, cwd: header.cwd });
  }

  /** Bytes of the file so far. */
  get bytes(): number {
    return this.#bytes;
  }

  /** UTF-8 bytes of all texts that a search has to cover. */
  get textBytes(): number {
    return this.#textBytes;
  }

  get entries(): number {
    return this.#ids.size;
  }

  /** Milliseconds since 1970 of the newest entry. */
  get time(): number {
    return this.#time;
  }

  /** Lets time pass before the next entry. */
  wait(shortest: number, longest: number): void {
    this.#time += this.#random.between(shortest, longest);
  }

  /** @returns the id of the new entry, which becomes the leaf. */
  append(body: EntryBody): string {
    const id = this.#newId();
    const base: EntryBase = { id, parentId: this.leaf, timestamp: new Date(this.#time).toISOString() };
    const { type, ...fields } = body;
    // The agent writes the entries of extensions with their content first.
    const isCustom = type === "custom" || type === "custom_message";
    this.#write(isCustom ? { type, ...fields, ...base } : { type, ...base, ...fields });
    for (const text of searchableTexts(body)) this.#textBytes += Buffer.byteLength(text);
    this.leaf = id;
    return id;
  }

  /** Writes what is left and gives the file the time of its newest entry. */
  close(): void {
    this.#flush();
    closeSync(this.#file);
    utimesSync(this.#path, this.#time / 1000, this.#time / 1000);
  }

  #newId(): string {
    let id = this.#random.hex(8);
    while (this.#ids.has(id)) id = this.#random.hex(8);
    this.#ids.add(id);
    return id;
  }

  #write(line: object): void {
    const text = `${JSON.stringify(line)}\n`;
    const length = Buffer.byteLength(text);
    if (this.#buffered + length > BUFFER_BYTES) this.#flush();
    if (length > BUFFER_BYTES) this.#writeAll(Buffer.from(text));
    else this.#buffered += this.#buffer.write(text, this.#buffered);
    this.#bytes += length;
  }

  #flush(): void {
    this.#writeAll(this.#buffer.subarray(0, this.#buffered));
    this.#buffered = 0;
  }

  #writeAll(bytes: Buffer): void {
    for (let written = 0; written < bytes.length; ) written += writeSync(this.#file, bytes, written);
  }
}
