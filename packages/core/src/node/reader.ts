import { statSync } from "node:fs";
import { AppError } from "../errors.ts";
import { exportJson } from "../export/json.ts";
import { exportMarkdown } from "../export/markdown.ts";
import type { SessionFormat } from "../format/format.ts";
import { formatNamed } from "../format/formats.ts";
import type { JsonObject } from "../json.ts";
import type { EntriesOptions, EntriesPage, ExportOptions, TreeEntry } from "../library.ts";
import type { Outline } from "../session/outline.ts";
import { type SessionFold, syntheticId } from "../session/summary.ts";
import { formatTimestamp } from "../session/timestamp.ts";
import type { Transcript, TranscriptItem } from "../session/transcript.ts";
import { branchEnds, branchTo, withoutCycles } from "../session/tree.ts";
import { appendName } from "./append.ts";
import { fileError } from "./file-errors.ts";
import { writeFork } from "./fork.ts";
import type { Catalog } from "./index/catalog.ts";
import { SessionFile, sameStamp, stampOf, withSessionFile } from "./session-file.ts";

const PREVIEW_LENGTH = 120;
/** Text handed over at once when a session is exported. */
const EXPORT_CHUNK_CHARACTERS = 64 * 1024;

/** A session with its tree, ready for reading single entries. */
interface OpenSession {
  path: string;
  fold: SessionFold;
  format: SessionFormat;
  parents: Int32Array;
  /** Bytes of the file that the outline covers. */
  end: number;
}

/** Reads the content of sessions: pages, trees, branches, exports. */
export class SessionReader {
  readonly #catalog: Catalog | null;

  constructor(catalog: Catalog | null) {
    this.#catalog = catalog;
  }

  entries(options: EntriesOptions): EntriesPage {
    return this.#reading(options.path, (session) => this.#entries(session, options));
  }

  #entries(session: OpenSession, options: EntriesOptions): EntriesPage {
    const { fold, parents } = session;
    const { outline } = fold;
    const leaf = leafOf(session, options.leaf_id);
    const branch = branchTo(parents, leaf);
    const places = new Map(branch.map((ordinal, place) => [outline.id(ordinal), place]));
    const placeOf = (id: string, field: string) => {
      const place = places.get(id);
      if (place === undefined) throw notInBranch(id, field);
      return place;
    };
    let from = options.after === undefined ? 0 : placeOf(options.after, "after") + 1;
    let to = options.before === undefined ? branch.length : placeOf(options.before, "before");
    if (to - from > options.limit) {
      // With `after` a reader goes forward; otherwise the newest entries are wanted.
      if (options.after !== undefined) to = from + options.limit;
      else from = to - options.limit;
    }
    const page = branch.slice(from, Math.max(from, to));
    const end = page.reduce((farthest, ordinal) => Math.max(farthest, endOf(outline, ordinal)), 0);
    return withSessionFile(options.path, (file) => ({
      header: headerOf(session, file),
      entries: page.map((ordinal) => storedEntry(session, file, ordinal, end)),
      leaf_id: leaf < 0 ? null : outline.id(leaf),
      leaves: branchEnds(parents, (ordinal) => outline.isConversation(ordinal)).map((ordinal) => outline.id(ordinal)),
      labels: fold.state.labels,
      total: branch.length,
      has_more_before: from > 0,
      has_more_after: to < branch.length,
    }));
  }

  tree(path: string): TreeEntry[] {
    return this.#reading(path, (session) => this.#tree(session));
  }

  #tree(session: OpenSession): TreeEntry[] {
    const { fold, format, parents } = session;
    const { outline } = fold;
    const labels = new Map(Object.entries(fold.state.labels));
    return withSessionFile(session.path, (file) =>
      Array.from({ length: outline.count }, (_, ordinal): TreeEntry => {
        const entry = lineOf(session, file, ordinal, session.end);
        const parent = parents[ordinal] ?? -1;
        const { id, role, timestamp } = outline.at(ordinal);
        return {
          id,
          parent_id: parent < 0 ? null : outline.id(parent),
          type: typeof entry.type === "string" ? entry.type : "",
          role: role === "name" || role === "label" ? null : role,
          preview: format.preview(entry, PREVIEW_LENGTH),
          timestamp: formatTimestamp(timestamp),
          label: labels.get(id) ?? null,
        };
      }),
    );
  }

  /** Starts an export that is read piece by piece; the file is opened for each piece anew. */
  export(options: ExportOptions): { title: string; chunks: AsyncGenerator<Uint8Array> } {
    const session = this.#open(options.path);
    const record = session.fold.record({ path: options.path, size: session.end, modifiedAt: 0 });
    const leaf = leafOf(session, options.leaf_id);
    const everything = options.format === "json" && options.leaf_id === undefined;
    const ordinals = everything ? [...session.parents.keys()] : branchTo(session.parents, leaf);
    const transcript: Transcript = {
      session_id: record.id,
      name: record.name,
      title: record.title,
      cwd: record.cwd,
      created_at: record.created_at,
      models: record.models,
      usage: record.usage,
      items: itemsOf(session, ordinals),
    };
    const choice = { includeThinking: options.include_thinking, includeTools: options.include_tools };
    const text = options.format === "json" ? exportJson(transcript, choice) : exportMarkdown(transcript, choice);
    return { title: record.title, chunks: encoded(text) };
  }

  /** Names a session in its file, see {@link appendName}. */
  rename(path: string, name: string): void {
    const { fold, format } = this.#open(path);
    appendName(path, { format, name, hasTree: hasTree(fold), isTaken: (id) => fold.has(id) });
  }

  /** Writes the branch that ends at `entryId` as a session of its own, see {@link writeFork}. */
  fork(path: string, entryId: string | null): string {
    const session = this.#open(path);
    const { fold, parents } = session;
    const { outline } = fold;
    const leaf = leafOf(session, entryId ?? undefined);
    const ordinals = branchTo(parents, leaf);
    const ids = new Set(ordinals.map((ordinal) => outline.id(ordinal)));
    return withSessionFile(path, (file) => {
      const setOnBranch = labelsSetOn(session, file, ordinals);
      const labels = [...labelsSetOn(session, file, [...parents.keys()])].flatMap(
        ([targetId, { label, timestamp }]) => {
          const isOther = (setOnBranch.get(targetId)?.label ?? null) !== label;
          return ids.has(targetId) && isOther ? [{ targetId, label, timestamp }] : [];
        },
      );
      return writeFork(path, file, {
        header: headerOf(session, file),
        hasTree: hasTree(fold),
        lines: ordinals.map((ordinal) => outline.at(ordinal)),
        ids,
        leafId: leaf < 0 ? null : outline.id(leaf),
        labels,
      });
    });
  }

  /** The index answers where it knows the file as it is; otherwise the file is read. */
  #open(path: string): OpenSession {
    const known = this.#catalog?.find(path) ?? null;
    const current = known?.status === "session" && sameStamp(known.stamp, stampOf(statSync(path))) ? known : null;
    if (current !== null && this.#catalog !== null) {
      return openSession(path, this.#catalog.fold(current.key), current.progress.bytes);
    }
    return readExactly(path);
  }

  /** Calls `read`; once more where a line that was skimmed is none, which nobody has noticed yet. */
  #reading<T>(path: string, read: (session: OpenSession) => T): T {
    const session = this.#open(path);
    try {
      return read(session);
    } catch (error) {
      if (session.fold.state.exact || !(error instanceof AppError) || error.code !== "CONFLICT") throw error;
      return read(readExactly(path));
    }
  }
}

function readExactly(path: string): OpenSession {
  const { fold, progress } = withSessionFile(path, (file) => file.read(undefined, true));
  return openSession(path, fold, progress.bytes);
}

function openSession(path: string, fold: SessionFold, end: number): OpenSession {
  if (fold.state.format === null) throw new AppError("NOT_FOUND", `${path} holds no session that can be read.`);
  const format = formatNamed(fold.state.format);
  return { path, fold, format, parents: withoutCycles(fold.outline.parents()), end };
}

/** Whether entries have ids and parents; without a header the first entry tells. */
function hasTree({ state, outline }: SessionFold): boolean {
  return state.header?.hasTree ?? outline.id(0) !== syntheticId(0);
}

/** Labels as these entries leave them, by target. */
function labelsSetOn(session: OpenSession, file: SessionFile, ordinals: number[]) {
  const set = new Map<string, { label: string | null; timestamp: string | null }>();
  const { outline } = session.fold;
  for (const ordinal of ordinals) {
    if (outline.role(ordinal) !== "label") continue;
    const { label } = session.format.facts(lineOf(session, file, ordinal, endOf(outline, ordinal)));
    if (label === undefined) continue;
    set.set(label.targetId, { label: label.label, timestamp: formatTimestamp(outline.at(ordinal).timestamp) });
  }
  return set;
}

/** The leaf asked for, else the newest; -1 in a session without entries. */
function leafOf(session: OpenSession, id: string | undefined): number {
  const { outline } = session.fold;
  if (id === undefined) return outline.count - 1;
  for (let ordinal = outline.count - 1; ordinal >= 0; ordinal--) if (outline.id(ordinal) === id) return ordinal;
  throw new AppError("NOT_FOUND", `The session has no entry ${id}.`);
}

function endOf(outline: Outline, ordinal: number): number {
  const { offset, length } = outline.at(ordinal);
  return offset + length;
}

function notInBranch(id: string, field: string): AppError {
  return new AppError("INVALID_PAYLOAD", `The entry ${id} is not on this branch.`, {
    details: [{ path: field, message: "Not an entry of this branch." }],
  });
}

/** `until`: where the reader will stop, so that no more is read ahead than is needed. */
function lineOf(session: OpenSession, file: SessionFile, ordinal: number, until: number): JsonObject {
  const { offset, length } = session.fold.outline.at(ordinal);
  const line = file.line(offset, length, until);
  if (line === null) throw new AppError("CONFLICT", `${session.path} was changed while it was read; try again.`);
  return line;
}

/** An entry as stored; where the format has no ids and parents, with those of the tree. */
function storedEntry(session: OpenSession, file: SessionFile, ordinal: number, until: number): JsonObject {
  const line = lineOf(session, file, ordinal, until);
  if (typeof line.id === "string" && "parentId" in line) return line;
  const { outline } = session.fold;
  const parent = session.parents[ordinal] ?? -1;
  return { ...line, id: outline.id(ordinal), parentId: parent < 0 ? null : outline.id(parent) };
}

function headerOf(session: OpenSession, file: SessionFile): JsonObject | null {
  const place = session.fold.state.header_line;
  return place === null ? null : file.line(place.offset, place.length, place.offset + place.length);
}

/** The file stays open until the last item was taken or the generator is returned. */
function* itemsOf(session: OpenSession, ordinals: number[]): Generator<TranscriptItem> {
  const { outline } = session.fold;
  const file = openAgain(session.path);
  try {
    for (const ordinal of ordinals) {
      const parent = session.parents[ordinal] ?? -1;
      const parentId = parent < 0 ? null : outline.id(parent);
      yield session.format.item(lineOf(session, file, ordinal, session.end), outline.id(ordinal), parentId);
    }
  } finally {
    file.close();
  }
}

/** An export opens the file when its first piece is asked for: it may be gone by then. */
function openAgain(path: string): SessionFile {
  try {
    return new SessionFile(path);
  } catch (error) {
    throw fileError(error, "read", path) ?? error;
  }
}

async function* encoded(pieces: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  let waiting: string[] = [];
  let characters = 0;
  for await (const piece of pieces) {
    waiting.push(piece);
    characters += piece.length;
    if (characters < EXPORT_CHUNK_CHARACTERS) continue;
    yield encoder.encode(waiting.join(""));
    waiting = [];
    characters = 0;
  }
  if (characters > 0) yield encoder.encode(waiting.join(""));
}
