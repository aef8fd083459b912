import Database from "better-sqlite3";
import { type Entry, searchableTexts } from "../corpus/entry.ts";
import { workThroughLines } from "../measure/worker.ts";

/** How many rows one transaction holds: enough that committing costs nothing that counts. */
const ROWS_PER_TRANSACTION = 20_000;

/** What the plain way to a full-text index makes of its share of the files. */
export interface IndexShare {
  textBytes: number;
  rows: number;
}

// The plain way to a full-text index: read, parse and insert into FTS5, a database for each worker. The session header
// is a line without text and drops out by itself.
workThroughLines((path: string) => {
  const database = new Database(path);
  database.pragma("journal_mode = OFF");
  database.pragma("synchronous = OFF");
  database.exec(`
    CREATE VIRTUAL TABLE text USING fts5(body, content='', tokenize='unicode61', detail='full');
    INSERT INTO text(text, rank) VALUES ('hashsize', ${32 * 1024 * 1024});
  `);
  const insert = database.prepare("INSERT INTO text(rowid, body) VALUES (?, ?)");
  const share: IndexShare = { textBytes: 0, rows: 0 };
  database.exec("BEGIN");
  return {
    onLine(line) {
      for (const text of searchableTexts(JSON.parse(line) as Entry)) {
        share.textBytes += Buffer.byteLength(text);
        insert.run(++share.rows, text);
        if (share.rows % ROWS_PER_TRANSACTION === 0) database.exec("COMMIT; BEGIN");
      }
    },
    finish() {
      database.exec("COMMIT");
      database.close();
      return share;
    },
  };
});
