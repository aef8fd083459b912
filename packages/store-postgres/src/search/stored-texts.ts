import type { SearchPage } from "@sm/core";
import type {
  KnownTexts,
  LinePlace,
  OutlinePlace,
  RemoteSegment,
  RemoteTexts,
  SegmentBytes,
  SessionOfTexts,
  TextPlace,
  TextState,
} from "@sm/core/remote";
import { CHUNK_BYTES, COMPONENTS } from "@sm/core/remote";
import { type SQL, sql } from "drizzle-orm";
import type { OthersSession } from "../catalog/others-session.ts";
import { SEEN_VERSION, SessionCounts, WAITING_FILES } from "../catalog/session-counts.ts";
import { visibleSessions } from "../catalog/visible-sessions.ts";
import type { Queries } from "../database/database.ts";
import { LineReader } from "../files/line-reader.ts";

/** The name that somebody else has given their session apart from its file; own ones have the names of the user. */
const TITLE_BY_OWNER = sql`CASE WHEN user_id = own_user_id() THEN title ELSE coalesce((
  SELECT nullif(n.name, '') FROM marked_sessions m JOIN session_names n ON n.user_id = m.user_id AND n.session_key = m.key
  WHERE m.user_id = sessions.user_id AND m.path = sessions.path), title) END`;

/** Of the stored chunks of segments. */
const STORED_BYTES = sql.raw(`${CHUNK_BYTES}`);

/** As the answer of a search has it. */
type Indexing = SearchPage["indexing"];

type StoredTextPlace = Omit<SessionOfTexts, "content"> & {
  /** `null`: the session is gone. */
  content: string | null;
  /** `null`: the user. */
  owner: string | null;
  entries: Buffer | null;
};

export interface StoredTextsOptions {
  /** By whom lines are remembered; default: by nobody. */
  userId?: string;
  /** Shared by all searches of a server; default: nothing is remembered. */
  lines?: LineReader;
  /** Of the user's sessions; default: nothing is remembered. */
  counts?: SessionCounts;
  /** Whose texts alone are meant, `null`: those of private sessions; default: all that the user may see. */
  project?: string | null;
}

/** The texts that one user may search in PostgreSQL, as a thread asks for them. */
export class StoredTexts implements RemoteTexts {
  readonly #queries: () => Promise<Queries>;
  readonly #userId: string;
  readonly #lines: LineReader;
  readonly #counts: SessionCounts;
  readonly #isMeant: SQL;
  #indexing: Indexing = { done: 0, pending: 0 };
  readonly #others = new Map<string, OthersSession>();

  /** @param queries in the user's name, all of one moment. */
  constructor(
    queries: () => Promise<Queries>,
    { userId = "", lines = new LineReader(), counts = new SessionCounts(), project }: StoredTextsOptions = {},
  ) {
    this.#queries = queries;
    this.#userId = userId;
    this.#lines = lines;
    this.#counts = counts;
    this.#isMeant = project === undefined ? sql`true` : sql`shared_project_id IS NOT DISTINCT FROM ${project}::uuid`;
  }

  /** How many sessions are searchable, and how much still waits to be; known once something was searched. */
  get indexing(): Indexing {
    return this.#indexing;
  }

  /** Sessions of others whose texts may have been read, by their paths. */
  get others(): ReadonlyMap<string, OthersSession> {
    return this.#others;
  }

  async textState({ segments: known, sessions }: KnownTexts): Promise<TextState> {
    const db = await this.#queries();
    const { rows } = await db.execute<{ segments: string[]; version: string; waiting: string }>(sql`
      SELECT coalesce((SELECT array_agg(id ORDER BY id) FROM text_segments WHERE ${this.#isMeant}), '{}') AS segments,
        ${SEEN_VERSION} AS version, ${WAITING_FILES} AS waiting`);
    const { segments = [], version = "", waiting = 0 } = rows[0] ?? {};
    const ids = segments.map(Number);
    const before = new Set(known);
    const unknown = ids.filter((id) => !before.has(id));
    const added = unknown.length === 0 ? [] : await segmentsOf(db, unknown);
    const { present, indexed, unindexed } = await this.#counts.of(db, version);
    this.#indexing = { done: indexed, pending: unindexed + Number(waiting) };
    return {
      segments: ids,
      added,
      sessions: present === sessions ? null : { version: present, keys: await presentKeys(db) },
    };
  }

  async textBytes(wanted: SegmentBytes[]): Promise<Uint8Array[]> {
    const ranges = rangesOf(wanted);
    const column = (values: number[]) => sql.param(values);
    const db = await this.#queries();
    // `substring` leaves out what a chunk has before the first byte and behind the last one.
    const { rows } = await db.execute<{ number: number; bytes: Buffer }>(sql`
      SELECT number, substring(bytes FROM (first + 1 - chunk::bigint * ${STORED_BYTES})::integer FOR length) AS bytes
      FROM unnest(
        ${column(ranges.map((_, number) => number))}::integer[], ${column(ranges.map(({ segment }) => segment))}::bigint[],
        ${column(ranges.map(({ component }) => COMPONENTS.indexOf(component)))}::smallint[],
        ${column(ranges.map(({ offset }) => offset))}::bigint[], ${column(ranges.map(({ length }) => length))}::integer[]
      ) AS w (number, segment, part, first, length)
      JOIN text_chunks c ON c.segment_id = w.segment AND c.component = w.part
        AND c.chunk BETWEEN first / ${STORED_BYTES} AND (first + length - 1) / ${STORED_BYTES}
      ORDER BY number, chunk`);
    const found = ranges.map((): Buffer[] => []);
    for (const { number, bytes } of rows) found[number]?.push(bytes);
    return ranges.flatMap(({ offset, pieces }, number) => {
      const bytes = Buffer.concat(found[number] ?? []);
      // Copied: what is sent to a thread is sent with all of the memory that it is in.
      return pieces.map((piece) =>
        Uint8Array.from(bytes.subarray(piece.offset - offset, piece.offset - offset + piece.length)),
      );
    });
  }

  async sessionKeys(paths: string[]): Promise<number[]> {
    const db = await this.#queries();
    const { rows } = await db.execute<{ key: string }>(sql`
      SELECT key FROM sessions WHERE path = ANY (${sql.param(paths)}::text[]) AND removed_at IS NULL`);
    return rows.map(({ key }) => Number(key));
  }

  async sessionKeysBelow(paths: string[]): Promise<number[]> {
    const db = await this.#queries();
    const { rows } = await db.execute<{ key: string }>(sql`
      WITH RECURSIVE found (key) AS (
        SELECT key FROM sessions WHERE path = ANY (${sql.param(paths)}::text[]) AND removed_at IS NULL
        UNION SELECT s.key FROM found JOIN sessions s ON s.parent_key = found.key WHERE s.folded AND s.removed_at IS NULL
      )
      SELECT key FROM found`);
    return rows.map(({ key }) => Number(key));
  }

  async sessionFacts(keys: number[]): Promise<{ key: number; project: string | null; format: string }[]> {
    const db = await this.#queries();
    const { rows } = await db.execute<{ key: string; project: string | null; format: string }>(sql`
      SELECT key, project, format FROM sessions WHERE key = ANY (${sql.param(keys)}::bigint[])`);
    return rows.map(({ key, ...facts }) => ({ key: Number(key), ...facts }));
  }

  async textPlaces(places: OutlinePlace[]): Promise<TextPlace[]> {
    const db = await this.#queries();
    const { rows } = await db.execute<StoredTextPlace>(sql`
      SELECT s.*, o.entries
      FROM ${wantedPlaces(places)}
      LEFT JOIN LATERAL (
        SELECT generation_key AS content, path, session_id AS id, project AS cwd, format,
          ${TITLE_BY_OWNER} AS title, CASE WHEN user_id <> own_user_id() THEN user_id END AS owner
        FROM sessions WHERE sessions.key = w.key AND removed_at IS NULL
      ) s ON true
      LEFT JOIN outline_chunks o ON o.session_key = w.key AND o.place = w.place
      ORDER BY w.number`);
    return rows.map(({ content, owner, entries: outline, ...session }) => {
      if (content === null) return { session: null, outline };
      const { path, id } = session;
      if (owner !== null) this.#others.set(path, { ownerId: owner, path, id });
      return { session: { content: Number(content), ...session }, outline };
    });
  }

  async outlineChunks(places: OutlinePlace[]): Promise<(Uint8Array | null)[]> {
    const db = await this.#queries();
    const { rows } = await db.execute<{ entries: Buffer | null }>(sql`
      SELECT o.entries
      FROM ${wantedPlaces(places)}
      LEFT JOIN outline_chunks o ON o.session_key = w.key AND o.place = w.place
      ORDER BY w.number`);
    return rows.map(({ entries }) => entries);
  }

  async lines(places: LinePlace[]): Promise<Uint8Array[]> {
    return this.#lines.read(this.#userId, await this.#queries(), places);
  }
}

/** For the `FROM` of a query, as `w`: `key`, `place`, and `number` in their order. */
function wantedPlaces(places: readonly OutlinePlace[]): SQL {
  return sql`unnest(${sql.param(places.map(({ key }) => key))}::bigint[],
    ${sql.param(places.map(({ place }) => place))}::integer[]) WITH ORDINALITY AS w (key, place, number)`;
}

/** Bytes that were asked for in pieces. */
interface TextRange extends SegmentBytes {
  pieces: SegmentBytes[];
}

/** Pieces that follow each other are read as one. */
function rangesOf(wanted: readonly SegmentBytes[]): TextRange[] {
  const ranges: TextRange[] = [];
  for (const piece of wanted) {
    const last = ranges.at(-1);
    const follows =
      last?.segment === piece.segment &&
      last.component === piece.component &&
      last.offset + last.length === piece.offset;
    if (last !== undefined && follows) {
      last.length += piece.length;
      last.pieces.push(piece);
    } else ranges.push({ ...piece, pieces: [piece] });
  }
  return ranges;
}

async function segmentsOf(db: Queries, ids: number[]): Promise<RemoteSegment[]> {
  const { rows } = await db.execute<{
    id: string;
    documents: number;
    sizes: string[];
    content: Buffer | null;
    superseded: string[];
  }>(sql`
    SELECT id, documents, sizes, content, superseded FROM text_segments WHERE id = ANY (${sql.param(ids)}::bigint[])`);
  return rows.map(({ id, documents, sizes, content, superseded }) => ({
    id: Number(id),
    documentCount: documents,
    sizes: sizesOf(sizes.map(Number)),
    content,
    superseded: superseded.map(Number),
  }));
}

function sizesOf(sizes: readonly number[]): RemoteSegment["sizes"] {
  const [documents = 0, blocks = 0, dictionary = 0, postings = 0, positions = 0] = sizes;
  return { documents, blocks, dictionary, postings, positions };
}

async function presentKeys(db: Queries): Promise<number[]> {
  const { rows } = await db.execute<{ keys: string[] }>(sql`
    SELECT coalesce(array_agg(key), '{}') AS keys FROM ${visibleSessions("key")} AS s`);
  return (rows[0]?.keys ?? []).map(Number);
}
