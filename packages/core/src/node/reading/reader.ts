import type { JsonObject } from "../../json.ts";
import type {
  EntriesOptions,
  ExportOptions,
  FindOptions,
  FindPage,
  RedactionOptions,
  TreeEntry,
} from "../../library.ts";
import type { Outline } from "../../session/outline.ts";
import { type SessionFold, syntheticId } from "../../session/summary.ts";
import { formatTimestamp } from "../../session/timestamp.ts";
import { leafOf } from "../../session/transcript-layout.ts";
import { branchTo } from "../../session/tree.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { statPath } from "../files/stat.ts";
import { type SessionFile, sameStamp, stampOf, withSessionFile } from "../session-file/session-file.ts";
import type { CurrentTask } from "../threads/unwanted.ts";
import { appendName } from "./append.ts";
import { entriesPage } from "./entries-page.ts";
import { exportSession, type Named, type PreviewPiece, previewSession, type SessionExport } from "./export-session.ts";
import { findInSession } from "./find-in-session.ts";
import { endOf, lineOf, type OpenSession, openSession, readSession, writerOf } from "./open-session.ts";
import { toolOutput } from "./tool-output.ts";
import { transcriptPage } from "./transcript-page.ts";
import { treeOf } from "./tree-entries.ts";
import { writeFork } from "./write-fork.ts";

/** Reads the content of sessions: pages, trees, branches, exports. */
export class SessionReader {
  readonly #catalog: Catalog | null;

  constructor(catalog: Catalog | null) {
    this.#catalog = catalog;
  }

  /** Reads a page of a branch, see {@link entriesPage}. */
  entries(options: EntriesOptions): Uint8Array {
    return entriesPage(this.#open(options.path), options);
  }

  /** Reads a page of a branch independent of the format, see {@link transcriptPage}. */
  transcript(options: EntriesOptions): Uint8Array {
    return transcriptPage(this.#open(options.path), options);
  }

  /** Reads a long output from its own file, see {@link toolOutput}. */
  toolOutput(path: string, entryId: string): Uint8Array {
    return toolOutput(this.#open(path), entryId);
  }

  /** Searches a part of a branch, see {@link findInSession}. */
  find(options: FindOptions, current: CurrentTask): FindPage {
    return findInSession(this.#open(options.path), options, current);
  }

  /** Starts reading all entries in batches. Opens the file for the first one. */
  tree(path: string): Generator<TreeEntry[]> {
    return treeOf(this.#open(path));
  }

  /** Starts a streamed export; opens the file for the first piece. */
  export(options: Named<ExportOptions>): SessionExport {
    return exportSession(this.#open(options.path), options);
  }

  /** Starts a preview of redactions; opens the file for the first piece. */
  previewRedactions(options: Named<RedactionOptions>): AsyncGenerator<PreviewPiece> {
    return previewSession(this.#open(options.path), options);
  }

  /** Names a session in its file, see {@link appendName}. */
  rename(path: string, name: string): void {
    const session = this.#open(path);
    const { fold, inode } = session;
    const writer = writerOf(session);
    appendName(path, { writer, inode, name, hasTree: hasTree(fold), isTaken: (id) => fold.has(id) });
  }

  /** Writes the branch that ends at `entryId` as a new session, see {@link writeFork}. */
  fork(path: string, entryId: string | null): string {
    const session = this.#open(path);
    const writer = writerOf(session);
    const { fold, parents } = session;
    const { outline } = fold;
    const leaf = leafOf(session.fold.outline, entryId ?? undefined);
    const branch = branchTo(parents, leaf);
    const isOnBranch = new Uint8Array(outline.count);
    for (const ordinal of branch) isOnBranch[ordinal] = 1;
    return withSessionFile(path, (file) => {
      const setOnBranch = labelsSetOn(session, file, branch);
      const labels = [...labelsSetOn(session, file, parents.keys())].flatMap(([targetId, { label, timestamp }]) => {
        const isOther = (setOnBranch.get(targetId)?.label ?? null) !== label;
        return isOnBranch[outline.ordinalOf(targetId)] === 1 && isOther ? [{ targetId, label, timestamp }] : [];
      });
      return writeFork(path, file, {
        writer,
        header: headerOf(session, file),
        hasTree: hasTree(fold),
        lines: placesOf(outline, branch),
        isTaken: (id) => fold.has(id),
        leafId: leaf < 0 ? null : outline.id(leaf),
        labels,
      });
    });
  }

  /** Uses the index if it has the file's current state; otherwise reads the file. */
  #open(path: string): OpenSession {
    const known = this.#catalog?.find(path) ?? null;
    const found = known?.status === "session" ? statPath(path) : undefined;
    const stamp = found === undefined ? null : stampOf(found);
    if (this.#catalog === null || known === null || stamp === null || !sameStamp(known.stamp, stamp)) {
      return readSession(path);
    }
    const { key, progress } = known;
    const source = { path, size: progress.bytes, modifiedAt: stamp.mtime };
    return openSession(this.#catalog.fold(key), source, stamp.inode);
  }
}

/** Whether entries have IDs and parents; without a header, the first entry decides. */
function hasTree({ state, outline }: SessionFold): boolean {
  return state.header?.hasTree ?? outline.id(0) !== syntheticId(0);
}

/** Labels after these entries, by target. */
function labelsSetOn(session: OpenSession, file: SessionFile, ordinals: Iterable<number>) {
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

function* placesOf(outline: Outline, ordinals: Iterable<number>): Generator<{ offset: number; length: number }> {
  for (const ordinal of ordinals) yield outline.at(ordinal);
}

function headerOf(session: OpenSession, file: SessionFile): JsonObject | null {
  const place = session.fold.state.header_line;
  return place === null ? null : file.line(place.offset, place.length, place.offset + place.length);
}
