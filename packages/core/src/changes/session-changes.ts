import type { ChangedFile, FileEdit, SessionChanges } from "../changes.ts";
import { toolArguments } from "../export/html/tool-arguments.ts";
import { commandOf, useOf, WRITES } from "../hand-over/tool-use.ts";
import { patchOf } from "../hand-over/words.ts";
import type { JsonObject } from "../json.ts";
import type { MessageItem, ToolResultItem, TranscriptItem } from "../session/transcript.ts";
import { effortOfDiffs, MergedFile } from "./merged-file.ts";
import { type FileDiff, type Hunk, type LineCounts, readDiff, sumOf } from "./recorded-diff.ts";

const MAX_FILES = 1_000;
/** Of all files together. */
const MAX_BYTES = 200_000_000;
/** Of the paths, and of the ids of entries that have changed them, each with what is said of it. */
const MAX_LISTED_CHARACTERS = 8 * 1024 * 1024;
const CHARACTERS_OF_EDIT = 100;
const LONGEST_PATH = 4_096;
const MAX_DIFF_CHARACTERS = 1024 * 1024;
/** Of all files together. */
const MAX_DIFFS_CHARACTERS = 4 * 1024 * 1024;
/** Calls whose result has not come. */
const MAX_WAITING = 1_000;
/** Entries within which the result of a call comes. */
const MAX_DISTANCE = 200;

const PATCH_START = "*** Begin Patch";
const PATCH_END = "*** End Patch";

/** The name of a tool, see `mayWrite`, or a patch. Whoever escapes letters of a name is looked at, too. */
const CHANGING = new RegExp(`"name"\\s*:\\s*"[^"]*(?:${WRITES.source}|\\\\)`, "i");

/** Whether a line, as it is stored, may have a call that changes files: most lines of a session need no parsing. */
export function mayChangeFiles(line: string): boolean {
  return CHANGING.test(line) || line.includes(PATCH_START);
}

interface WaitingCall extends Place {
  name: string;
  arguments: JsonObject;
  /** A patch that is shown beside the call. */
  shown: string | null;
  at: number;
}

interface KnownFile {
  path: string;
  movedFrom: string | null;
  action: ChangedFile["action"];
  /** Whether the session has written it before it did anything else to it. */
  isOwn: boolean;
  merged: MergedFile;
  edits: FileEdit[];
}

/** Folds the entries of a branch, root to leaf, to the files that it has changed. */
export class ChangesFold {
  readonly #files = new Map<string, KnownFile>();
  readonly #waiting = new Map<string, WaitingCall>();
  #entries = 0;
  #bytes = 0;
  #listed = 0;
  #isComplete = true;

  /** Memory of all changes. */
  get bytes(): number {
    return this.#bytes + this.#listed;
  }

  /** Whether a result could be that of a call which changes a file. */
  get awaitsResult(): boolean {
    return this.#waiting.size > 0;
  }

  add(item: TranscriptItem): void {
    if (item.kind === "tool_result") this.#addResult(item);
    else if (item.kind === "message" && item.role === "assistant") this.#addCalls(item);
    this.pass();
  }

  /** An entry that changes no file. */
  pass(): void {
    this.#entries++;
    for (const [id, { at }] of this.#waiting) {
      if (this.#entries - at <= MAX_DISTANCE && this.#waiting.size <= MAX_WAITING) break;
      this.#waiting.delete(id);
    }
  }

  /** An entry of which the texts are not whole: it may have changed a file, too. */
  leaveOut(): void {
    this.#isComplete = false;
  }

  /** @param files whose diffs are wanted; `null`: of all. */
  changes(leafId: string | null, files: ReadonlySet<string> | null): SessionChanges {
    const changed: ChangedFile[] = [];
    let room = MAX_DIFFS_CHARACTERS;
    const effort = effortOfDiffs();
    for (const { path, movedFrom, action, isOwn, merged, edits } of this.#files.values()) {
      const isWanted = files === null || files.has(path);
      const { text, added, removed, isCut } = merged.diff(isWanted ? Math.min(room, MAX_DIFF_CHARACTERS) : 0, effort);
      // Made and undone within the session.
      const mayBeUndone = action === "edited" || (action === "deleted" && isOwn);
      if (added + removed === 0 && movedFrom === null && mayBeUndone) continue;
      room -= isWanted ? text.length : 0;
      changed.push({
        path,
        moved_from: movedFrom,
        action,
        added,
        removed,
        edits,
        diff: isWanted ? text : null,
        truncated: isWanted && isCut,
      });
    }
    return {
      files: changed,
      added: changed.reduce((sum, file) => sum + file.added, 0),
      removed: changed.reduce((sum, file) => sum + file.removed, 0),
      leaf_id: leafId,
      complete: this.#isComplete,
    };
  }

  #addCalls(item: MessageItem): void {
    const shown = patchOf(item);
    const { id: entry_id, timestamp } = item;
    for (const block of item.blocks) {
      if (block.kind !== "tool_call" || block.id === null) continue;
      const call = { entry_id, timestamp, name: block.name, arguments: block.arguments, shown, at: this.#entries };
      if (mayWrite(call) || patchIn(call) !== null) this.#waiting.set(block.id, call);
    }
  }

  #addResult(result: ToolResultItem): void {
    const call = result.call_id === null ? undefined : this.#waiting.get(result.call_id);
    if (call === undefined || result.call_id === null) return;
    this.#waiting.delete(result.call_id);
    if (!result.is_error) this.#apply(call, result.diff === null ? [] : readDiff(result.diff));
  }

  #apply(call: WaitingCall, recorded: readonly FileDiff[]): void {
    const { entry_id, timestamp, arguments: given } = call;
    const { path, edits, content, patch } = toolArguments(given);
    const written = recorded.filter((file) => file.path !== null);
    // A patch in the content of a file is a text like any other.
    const hasTexts = path !== null && (edits.length > 0 || content !== null);
    const patched = written.length > 0 ? written : hasTexts ? [] : readDiff(patchIn(call) ?? patch ?? "");
    const place = { entry_id, timestamp };
    if (patched.some((file) => file.path !== null)) {
      for (const file of patched) this.#applyDiff(file, path ?? "", place);
      return;
    }
    const hunks = recorded.flatMap((file) => file.hunks);
    if (path === null) return;
    if (edits.length > 0) {
      const isEverywhere = given.replace_all === true || given.replaceAll === true;
      this.#change(path, place, "edited", (merged) => merged.edit(edits, hunks, isEverywhere));
    } else if (content !== null && mayWrite(call)) {
      // Where the lines are known that have changed, the file was there before.
      if (hunks.length > 0) this.#change(path, place, "edited", (merged) => changeAll(merged, hunks));
      else this.#change(path, place, "written", (merged) => merged.write(content));
    } else if (hunks.length > 0) this.#change(path, place, "edited", (merged) => changeAll(merged, hunks));
  }

  #applyDiff({ path, movedTo, action, hunks }: FileDiff, callPath: string, place: Place): void {
    // A diff may have a path from another folder on.
    const of = path === null || callPath.endsWith(`/${path}`) ? callPath : path;
    if (of === "") return;
    const text = (lines: "before" | "after") => hunks.flatMap((hunk) => hunk[lines]).join("\n");
    if (action === "add") this.#change(of, place, "written", (merged) => merged.write(text("after")));
    else if (action === "delete") {
      const before = hunks.length === 0 ? null : text("before");
      this.#change(of, place, "deleted", (merged) => merged.delete(before));
    } else this.#change(of, place, "edited", (merged) => changeAll(merged, hunks));
    if (movedTo !== null && movedTo.length <= LONGEST_PATH) this.#move(of, movedTo);
  }

  #change(path: string, place: Place, action: ChangedFile["action"], change: (merged: MergedFile) => LineCounts): void {
    this.#listed += CHARACTERS_OF_EDIT + place.entry_id.length;
    const isFull = this.#bytes > MAX_BYTES || this.#listed > MAX_LISTED_CHARACTERS;
    const known = isFull ? null : (this.#files.get(path) ?? this.#newFile(path, action));
    if (known === null) {
      this.#isComplete = false;
      return;
    }
    this.#bytes -= known.merged.bytes;
    const counts = change(known.merged);
    this.#bytes += known.merged.bytes;
    if (action !== "edited" || known.action === "deleted") known.action = action;
    known.edits.push({ ...place, added: counts.added, removed: counts.removed });
  }

  #newFile(path: string, action: ChangedFile["action"]): KnownFile | null {
    if (this.#files.size >= MAX_FILES || path.length > LONGEST_PATH) return null;
    const isOwn = action === "written";
    const file: KnownFile = { path, movedFrom: null, action, isOwn, merged: new MergedFile(), edits: [] };
    this.#files.set(path, file);
    return file;
  }

  #move(from: string, to: string): void {
    const file = this.#files.get(from);
    if (file === undefined) return;
    this.#files.delete(from);
    const origin = file.movedFrom ?? from;
    this.#files.set(to, { ...file, path: to, movedFrom: origin === to ? null : origin });
  }
}

type Place = Pick<FileEdit, "entry_id" | "timestamp">;

function changeAll(merged: MergedFile, hunks: readonly Hunk[]): LineCounts {
  return sumOf(hunks.map((hunk) => merged.change(hunk)));
}

/** Others have texts in the same arguments, too, such as a search for a replaced text. */
function mayWrite({ name }: WaitingCall): boolean {
  return useOf(name) === "wrote";
}

/** The patch of a call, in an argument or beside the call, where some formats show it; others may quote one. */
function patchIn(call: WaitingCall): string | null {
  const command = commandOf(call.arguments);
  if (!mayWrite(call) && command === null) return null;
  for (const text of [...(mayWrite(call) ? Object.values(call.arguments) : []), command, call.shown]) {
    if (typeof text !== "string") continue;
    const start = text.indexOf(PATCH_START);
    if (start < 0) continue;
    const end = text.indexOf(PATCH_END, start);
    return text.slice(start, end < 0 ? undefined : end);
  }
  return null;
}
