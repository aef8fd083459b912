import type { SqliteDatabase, SqliteStatement } from "../sqlite.ts";
import { decodeStored } from "./index-error.ts";
import { VOICES, type Voice } from "./voices.ts";

/** Rows of a text table count from 1; this many fit beside the voice into an integer that JavaScript holds exactly. */
const ROWS_OF_VOICE = 2 ** 48;
/** Rows of one block: reading one is cheap, and few blocks are needed for a session. */
const MOST_ROWS = 1024;

/** What a row of a text table stands for. */
export interface BlockRow {
  ordinal: number;
  /** See `partOfCode`. */
  code: number;
}

/** Rows of one session that follow each other in a text table. */
export interface Block {
  voice: Voice;
  /** Row of the first one. */
  first: number;
  key: number;
  rows: BlockRow[];
}

interface StoredBlock {
  id: number;
  key: number;
  rows: number;
  entries: Buffer;
}

/** One text database's list of what its rows stand for. Rows are numbered without gaps, which keeps postings short. */
export const BLOCKS_SQL = `
CREATE TABLE blocks (id INTEGER PRIMARY KEY, key INTEGER NOT NULL, rows INTEGER NOT NULL, entries BLOB NOT NULL);
CREATE INDEX blocks_by_key ON blocks (key);
`;

/** SQL for the content key of a row of a voice's table, named `row`. */
export function keyOfRow(voice: Voice, row: string): string {
  return `(SELECT key FROM blocks WHERE id <= ${voiceStart(voice)} + ${row} ORDER BY id DESC LIMIT 1)`;
}

/** Reads and writes the blocks of one text database. */
export class Blocks {
  readonly #at: SqliteStatement;
  readonly #ofKey: SqliteStatement;
  readonly #insert: SqliteStatement;
  readonly #delete: SqliteStatement;

  constructor(database: SqliteDatabase) {
    this.#at = database.prepare("SELECT id, key, rows, entries FROM blocks WHERE id <= ? ORDER BY id DESC LIMIT 1");
    this.#ofKey = database.prepare("SELECT id, key, rows, entries FROM blocks WHERE key = ? ORDER BY id");
    this.#insert = database.prepare("INSERT INTO blocks (id, key, rows, entries) VALUES (?, ?, ?, ?)");
    this.#delete = database.prepare("DELETE FROM blocks WHERE key = ?");
  }

  /** The block that holds a row, `null` where it was removed. */
  at(voice: Voice, row: number): Block | null {
    // The statement selects what `StoredBlock` has.
    const stored = this.#at.get(voiceStart(voice) + row) as StoredBlock | undefined;
    if (stored === undefined) return null;
    const block = decode(stored);
    return block.voice === voice && row < block.first + block.rows.length ? block : null;
  }

  /** In the order of their rows. */
  ofKey(key: number): Block[] {
    return (this.#ofKey.all(key) as StoredBlock[]).map(decode);
  }

  /** The row after the last one of a voice. */
  nextRow(voice: Voice): number {
    const stored = this.#at.get(voiceStart(voice) + ROWS_OF_VOICE - 1) as StoredBlock | undefined;
    if (stored === undefined || stored.id < voiceStart(voice)) return 1;
    return stored.id - voiceStart(voice) + stored.rows;
  }

  put({ voice, first, key, rows }: Block): void {
    for (let start = 0; start < rows.length; start += MOST_ROWS) {
      const part = rows.slice(start, start + MOST_ROWS);
      this.#insert.run(voiceStart(voice) + first + start, key, part.length, encode(part));
    }
  }

  delete(key: number): void {
    this.#delete.run(key);
  }
}

function voiceStart(voice: Voice): number {
  return VOICES.indexOf(voice) * ROWS_OF_VOICE;
}

/** Ordinals grow, so the difference to the one before is small: one byte, or five for a great leap. */
function encode(rows: BlockRow[]): Buffer {
  const bytes: number[] = [];
  let before = 0;
  for (const { ordinal, code } of rows) {
    const difference = ordinal - before;
    if (difference < 0xff) bytes.push(difference);
    else bytes.push(0xff, difference & 0xff, (difference >> 8) & 0xff, (difference >> 16) & 0xff, difference >>> 24);
    bytes.push(code);
    before = ordinal;
  }
  return Buffer.from(bytes);
}

function decode({ id, key, entries }: StoredBlock): Block {
  return decodeStored(() => {
    const number = Math.floor(id / ROWS_OF_VOICE);
    const voice = VOICES[number];
    if (voice === undefined) throw new Error(`A block has an unknown voice, ${number}.`);
    const rows: BlockRow[] = [];
    let ordinal = 0;
    for (let at = 0; at < entries.length; ) {
      const difference = entries[at++] ?? 0;
      if (difference < 0xff) ordinal += difference;
      else {
        ordinal += entries.readUInt32LE(at);
        at += 4;
      }
      rows.push({ ordinal, code: entries[at++] ?? 0 });
    }
    return { voice, first: id - voiceStart(voice), key, rows };
  });
}
