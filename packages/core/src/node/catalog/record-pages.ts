import type { UserPrices } from "../../prices/model-prices.ts";
import { PriceLists } from "../../prices/price-list.ts";
import { type CleanedDirectory, Expiry } from "../../session/expiry.ts";
import type { SessionRecord } from "../../session/record.ts";
import type { SqliteDatabase } from "../storage/sqlite.ts";
import type { SessionKey } from "./found-files.ts";
import { RELATED_COLUMNS_SQL, RelatedRecords, type RelatedSession } from "./related-records.ts";

/** What of a record is not in the catalog. */
export type RecordMarks = Pick<SessionRecord, "tag_ids" | "is_favorite" | "archived_at" | "note_count" | "is_live"> &
  Partial<Pick<SessionRecord, "name" | "title">>;

export interface MarkedKey extends SessionKey {
  /** `null`: it has none. */
  marks: RecordMarks | null;
}

/** Records as JSON, for an answer that the main thread only passes on. */
export interface RecordPage {
  /** Each record behind a comma, in UTF-8. */
  json: Uint8Array;
  /** Where each record ends; where the one before, if the session is not there under this key. */
  ends: number[];
  /** Paths of those with text that is not searchable yet. */
  unindexed: string[];
}

export type CatalogTasks = {
  records: { input: { sessions: MarkedKey[]; prices: UserPrices; cleaned: CleanedDirectory[] }; output: RecordPage };
};

interface PageRow extends RelatedSession {
  isIndexed: 0 | 1;
}

/** Makes pages of records. */
export class RecordPages {
  readonly #rows;
  readonly #records;
  readonly #prices = new PriceLists();

  constructor(client: SqliteDatabase) {
    this.#records = new RelatedRecords(client);
    this.#rows = client.prepare<[keys: string], PageRow>(
      `SELECT indexed_count >= entry_count AS isIndexed, ${RELATED_COLUMNS_SQL}
      WHERE +status = 'session' AND key IN (SELECT value FROM json_each(?))`,
    );
  }

  /** @throws IndexError where a row is damaged. */
  page(sessions: readonly MarkedKey[], prices: UserPrices, cleaned: readonly CleanedDirectory[]): RecordPage {
    this.#records.prices = this.#prices.of(prices);
    this.#records.expiry = new Expiry(cleaned);
    const found = this.#rows.all(JSON.stringify(sessions.map(({ key }) => key)));
    const records = this.#records.of(found);
    const rows = new Map(found.map((row, place) => [row.key, { row, record: records[place] }]));
    const ends: number[] = [];
    const unindexed: string[] = [];
    const texts: string[] = [];
    let end = 0;
    for (const { key, path, marks } of sessions) {
      const { row, record } = rows.get(key) ?? {};
      // Another index may have given its key to another session.
      if (row?.path === path) {
        const indexed = row.isIndexed === 1;
        if (!indexed) unindexed.push(path);
        const text = `,${JSON.stringify(Object.assign({}, record, marks, { indexed }))}`;
        texts.push(text);
        end += Buffer.byteLength(text);
      }
      ends.push(end);
    }
    return { json: new TextEncoder().encode(texts.join("")), ends, unindexed };
  }
}
