import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import type { ChangeCounts, ChangesOptions, SessionChanges } from "../../changes.ts";
import { AppError } from "../../errors.ts";
import type { AppendPosition } from "../../format/format.ts";
import { HandOverBrief } from "../../hand-over/brief.ts";
import type { ConversionOrigin } from "../../hand-over/pi-lines.ts";
import { textsOf } from "../../hand-over/texts.ts";
import { type JsonObject, ownValue } from "../../json.ts";
import type { EntriesOptions, FindOptions, FindPage, TreeEntry, TreeSubagent } from "../../library.ts";
import { syntheticId } from "../../session/entry-ids.ts";
import type { Outline } from "../../session/outline.ts";
import type { SessionFold } from "../../session/session-fold.ts";
import { formatTimestamp } from "../../session/timestamp.ts";
import { leafOf } from "../../session/transcript-layout.ts";
import { branchTo } from "../../session/tree.ts";
import { fileError } from "../files/file-errors.ts";
import { type SessionFile, withSessionFile } from "../session-file/session-file.ts";
import type { CurrentTask } from "../threads/unwanted.ts";
import { appendEntry } from "./append.ts";
import { itemsAt } from "./branch-items.ts";
import { changesOfSession } from "./changes-of-session.ts";
import { writeConversion } from "./convert-session.ts";
import { entriesPage } from "./entries-page.ts";
import {
  type ExportTask,
  exportSession,
  type PreviewPiece,
  type PreviewTask,
  previewSession,
  type SessionExport,
} from "./export-session.ts";
import { findInSession } from "./find-in-session.ts";
import { KeptChanges } from "./kept-changes.ts";
import type { FindFold } from "./known-fold.ts";
import { endOf, lineOf, type OpenSession, openSession, readSession, writerOf } from "./open-session.ts";
import type { ConversionTask } from "./reading-tasks.ts";
import { toolOutput } from "./tool-output.ts";
import { transcriptPage } from "./transcript-page.ts";
import { treeOf } from "./tree-entries.ts";
import { type BranchContent, type NewSession, newSessionIn, writeFork } from "./write-fork.ts";

/** Reads the content of sessions: pages, trees, branches, exports. */
export class SessionReader {
  readonly #findFold: FindFold;
  readonly #changes = new KeptChanges();

  /** @param findFold default: each session is read as a whole. */
  constructor(findFold: FindFold = () => null) {
    this.#findFold = findFold;
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

  /** Finds what a branch has changed in files, see {@link changesOfSession}. */
  changes(options: ChangesOptions, current: CurrentTask): SessionChanges {
    return changesOfSession(this.#open(options.path), options, current, this.#changes);
  }

  /** Counts what the newest branch has changed. */
  changeCounts(path: string, current: CurrentTask): ChangeCounts {
    const { files, added, removed, complete } = this.changes({ path, files: [] }, current);
    return { files: files.length, added, removed, complete };
  }

  /** Starts reading all entries in batches. Opens the file for the first one. */
  tree(path: string, subagents?: readonly TreeSubagent[]): Generator<TreeEntry[]> {
    return treeOf(this.#open(path), subagents);
  }

  /** Starts a streamed export; opens the file for the first piece. */
  export(options: ExportTask): SessionExport {
    return exportSession(this.#open(options.path), options, (path) => this.#open(path));
  }

  /** Starts a preview of redactions; opens the file for the first piece. */
  previewRedactions(options: PreviewTask): AsyncGenerator<PreviewPiece> {
    return previewSession(this.#open(options.path), options, (path) => this.#open(path));
  }

  /** Names a session in its file, see {@link appendEntry}. */
  rename(path: string, name: string): void {
    const session = this.#open(path);
    const writer = writerOf(session);
    this.#append(session, (position) => writer.nameLine(name, position));
  }

  /**
   * Labels an entry in the file of its session, or takes the label away (`null`), see {@link appendEntry}. Writes
   * nothing where the entry has this label already.
   *
   * @throws AppError CONFLICT if the entries of the file have no ids, NOT_FOUND for an unknown one.
   */
  label(path: string, targetId: string, label: string | null): void {
    const session = this.#open(path);
    const writer = writerOf(session);
    if (!hasTree(session.fold)) throw new AppError("CONFLICT", withoutIds(path));
    if (!session.fold.has(targetId)) throw new AppError("NOT_FOUND", `The session has no entry ${targetId}.`);
    const present = ownValue(session.fold.state.labels, targetId) ?? null;
    if (present !== label) this.#append(session, (position) => writer.labelLine({ targetId, label }, position));
  }

  #append(session: OpenSession, entryAt: (position: AppendPosition) => JsonObject): void {
    const { fold, inode, source } = session;
    appendEntry(source.path, { entryAt, inode, hasTree: hasTree(fold), isTaken: (id) => fold.has(id) });
  }

  /** Writes the branch that ends at `entryId` as a new session beside its source, see {@link writeFork}. */
  fork(path: string, entryId: string | null): string {
    const target = newSessionIn(dirname(path));
    this.#fork(this.#open(path), entryId, target, null);
    return target.path;
  }

  /**
   * Writes the branch that ends at `entryId` as a new session of pi: one of pi as it is, others converted, see
   * {@link writeConversion}.
   */
  convert(path: string, { entryId, folder, cwd, name }: ConversionTask): string {
    const session = this.#open(path);
    const { fold, format } = session;
    const leaf = leafOf(fold.outline, entryId ?? undefined);
    const target = newSessionIn(folder);
    const origin: ConversionOrigin = {
      format: format.name,
      session_id: fold.record(session.source).id,
      path,
      entry_id: leaf < 0 ? null : fold.outline.id(leaf),
      converted_at: target.timestamp,
    };
    // Not before the entry is found: a folder without sessions would be a project to the agent.
    makeFolder(folder);
    if (format.name === "pi") this.#fork(session, entryId, target, origin);
    else writeConversion(session, { leaf, origin, cwd, name: name ?? fold.state.header?.title ?? null }, target);
    return target.path;
  }

  /** Writes what another agent needs to go on with a branch, see {@link HandOverBrief}. */
  brief(
    path: string,
    { entryId, title, words }: { entryId: string | null; title: string; words: readonly string[] },
  ): string {
    const session = this.#open(path);
    const { fold, parents, source } = session;
    const branch = branchTo(parents, leafOf(fold.outline, entryId ?? undefined));
    const record = { ...fold.record(source), title };
    const brief = new HandOverBrief(record, textsOf({ redacts: true }, record.cwd, words));
    for (const item of itemsAt(session, branch.reverse())) {
      if (!brief.add(item)) break;
    }
    return brief.text();
  }

  #fork(session: OpenSession, entryId: string | null, target: NewSession, origin: ConversionOrigin | null): void {
    const writer = writerOf(session);
    const { fold, parents, source } = session;
    const { outline } = fold;
    const leaf = leafOf(outline, entryId ?? undefined);
    const branch = branchTo(parents, leaf);
    const isOnBranch = new Uint8Array(outline.count);
    for (const ordinal of branch) isOnBranch[ordinal] = 1;
    withSessionFile(source.path, (file) => {
      const setOnBranch = labelsSetOn(session, file, branch);
      const labels = [...labelsSetOn(session, file, parents.keys())].flatMap(([targetId, { label, timestamp }]) => {
        const isOther = (setOnBranch.get(targetId)?.label ?? null) !== label;
        return isOnBranch[outline.ordinalOf(targetId)] === 1 && isOther ? [{ targetId, label, timestamp }] : [];
      });
      const content: BranchContent = {
        writer,
        header: headerOf(session, file),
        hasTree: hasTree(fold),
        lines: placesOf(outline, branch),
        isTaken: (id) => fold.has(id),
        leafId: leaf < 0 ? null : outline.id(leaf),
        labels,
        origin,
      };
      writeFork(source.path, file, content, target);
    });
  }

  /** Uses what is known of the file's current state; otherwise reads the file. */
  #open(path: string): OpenSession {
    const known = this.#findFold(path);
    return known === null ? readSession(path) : openSession(known.fold, known.source, known.inode);
  }
}

function makeFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw fileError(error, "write", path) ?? error;
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

function withoutIds(path: string): string {
  return `Entries of ${path} cannot be labelled, because they have no ids yet: open the session with its agent, which gives them some.`;
}
