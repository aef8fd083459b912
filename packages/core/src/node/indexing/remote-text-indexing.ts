import { createSegmentBuilder, type SegmentBuilder } from "@sm/text-index";
import { decodeStored } from "@sm/text-index/storage";
import { formatNamed } from "../../format/formats.ts";
import { OUTLINE_CHUNK, Outline, type OutlineEntry } from "../../session/outline.ts";
import type { SessionFormatName } from "../../session/record.ts";
import { errorCode, isAbsence, isRefusal } from "../files/file-errors.ts";
import { type NewSegment, newSegment } from "../search/new-segment.ts";
import type { AskTexts } from "../search/remote-texts.ts";
import { withSessionFile } from "../session-file/session-file.ts";
import type { CurrentTask } from "../threads/unwanted.ts";
import { addEntries, BATCH_TERMS, nothingAdded, supersededEntries } from "./session-text.ts";

/** A session whose texts are to be made searchable, from an entry on. */
export interface TextsToRead {
  key: number;
  path: string;
  format: SessionFormatName;
  firstEntry: number;
  entryCount: number;
  /** How much of its file is in the outline. */
  bytes: number;
}

/** The texts of some sessions. */
export interface ReadTexts {
  /** `null` if there was no text. */
  segment: NewSegment | null;
  /** See `RemoteSegment`. */
  superseded: number[];
  /** How many of their entries are searchable with it; sessions for which there was no room are left out. */
  read: { key: number; entries: number }[];
}

/** Chunks of an outline that are asked for at once. */
const CHUNKS_AT_ONCE = 64;

/** Reads the texts of sessions that are kept elsewhere. */
export class RemoteTextIndexing {
  /** It takes some milliseconds to make, and memory that the next segment needs again. */
  #keptBuilder: SegmentBuilder | null = null;

  /** Reads the sessions in their order, until a segment is full. @throws UnwantedError */
  read(sessions: readonly TextsToRead[], task: CurrentTask, ask: AskTexts): ReadTexts {
    try {
      return this.#read(sessions, task, ask);
    } catch (error) {
      // It may have failed in the middle of anything.
      this.#keptBuilder = null;
      throw error;
    }
  }

  #read(sessions: readonly TextsToRead[], task: CurrentTask, ask: AskTexts): ReadTexts {
    this.#keptBuilder ??= createSegmentBuilder();
    const builder = this.#keptBuilder;
    const result: ReadTexts = { segment: null, superseded: [], read: [] };
    for (const session of sessions) {
      if (builder.termCount >= BATCH_TERMS) break;
      task.check();
      const { key, entries, superseded } = addSession(builder, session, ask);
      result.read.push({ key, entries });
      for (const ordinal of superseded) result.superseded.push(key, ordinal);
    }
    return { ...result, segment: newSegment(builder) };
  }
}

function addSession(
  builder: SegmentBuilder,
  { key, path, format: name, firstEntry, entryCount, bytes }: TextsToRead,
  ask: AskTexts,
): { key: number; entries: number; superseded: number[] } {
  const format = formatNamed(name);
  const added = nothingAdded();
  let superseded: number[] = [];
  try {
    withSessionFile(path, (file) => {
      const origin = { path, key, firstEntry, outputs: new Set<string>() };
      addEntries(
        builder,
        file,
        format,
        origin,
        { entries: entriesOf(key, firstEntry, entryCount, ask), until: bytes },
        added,
      );
      // The first one of a session replaces nothing.
      if (added.renamings > (firstEntry === 0 ? 1 : 0)) {
        superseded = supersededEntries(file, format, outlineOf(key, entryCount, ask));
      }
    });
  } catch (error) {
    const code = errorCode(error);
    if (!isAbsence(code) && !isRefusal(code)) throw error;
    // Gone: then nobody can read it either.
    return { key, entries: entryCount, superseded: [] };
  }
  return { key, entries: firstEntry + added.entries, superseded };
}

function* entriesOf(key: number, firstEntry: number, entryCount: number, ask: AskTexts): Generator<OutlineEntry> {
  const last = Math.ceil(entryCount / OUTLINE_CHUNK);
  for (let place = Math.floor(firstEntry / OUTLINE_CHUNK); place < last; place += CHUNKS_AT_ONCE) {
    const count = Math.min(CHUNKS_AT_ONCE, last - place);
    const chunks = chunksOf(key, place, count, ask);
    for (const [at, chunk] of chunks.entries()) {
      const first = (place + at) * OUTLINE_CHUNK;
      const outline = decodeStored(() => Outline.decodeAlone(chunk, first));
      for (let entry = Math.max(first, firstEntry); entry < Math.min(entryCount, first + outline.count); entry++) {
        yield outline.at(entry - first);
      }
    }
  }
}

function outlineOf(key: number, entryCount: number, ask: AskTexts): Outline {
  const chunks = chunksOf(key, 0, Math.ceil(entryCount / OUTLINE_CHUNK), ask);
  return decodeStored(() => Outline.decode(chunks));
}

function chunksOf(key: number, first: number, count: number, ask: AskTexts): Uint8Array[] {
  const places = Array.from({ length: count }, (_, at) => ({ key, place: first + at }));
  return ask("outlineChunks", places).filter((chunk) => chunk !== null);
}
