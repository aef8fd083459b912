import type { SessionFormatName } from "../../session/record.ts";
import type { FileStamp } from "../session-file/file-stamp.ts";
import type { SqliteDatabase } from "../storage/sqlite.ts";
import { IS_PATH_IN_SQL } from "./index-schema.ts";

/** A session that has a file. */
export interface SessionWithFile {
  path: string;
  format: SessionFormatName;
  id: string;
  project: string | null;
  stamp: FileStamp;
}

interface Row extends FileStamp {
  key: number;
  path: string;
  format: SessionFormatName;
  id: string;
  project: string | null;
}

const ROWS = `
SELECT key, path, size, mtime, ctime, inode, format, session_id AS id, project FROM files
WHERE +status = 'session'`;
const HAS_FILE = "AND +from_vault = 0";

/** Which sessions have files, and how these were when they were read. */
export class SessionFiles {
  readonly #some;
  readonly #next;

  /** @param withKept whether those that only the vault has count, too, as their files were. */
  constructor(client: SqliteDatabase, withKept = false) {
    const rows = withKept ? ROWS : `${ROWS} ${HAS_FILE}`;
    this.#some = client.prepare<{ paths: string }, Row>(`${rows} AND ${IS_PATH_IN_SQL}`);
    this.#next = client.prepare<[after: number, most: number], Row>(`${rows} AND key > ? ORDER BY key LIMIT ?`);
  }

  some(paths: readonly string[]): SessionWithFile[] {
    return this.#some.all({ paths: JSON.stringify(paths) }).map(fileOf);
  }

  /** The next ones, from a key on; `null` behind the last. */
  after(key: number, most: number): { files: SessionWithFile[]; last: number } | null {
    const rows = this.#next.all(key, most);
    const last = rows.at(-1)?.key;
    return last === undefined ? null : { files: rows.map(fileOf), last };
  }
}

function fileOf({ path, format, id, project, size, mtime, ctime, inode }: Row): SessionWithFile {
  return { path, format, id, project, stamp: { size, mtime, ctime, inode } };
}
