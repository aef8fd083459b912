import { LRUCache } from "lru-cache";
import { Outline } from "../../session/outline.ts";
import { SessionFold } from "../../session/session-fold.ts";
import { activityPlace, SessionActivity } from "../../stats/session-activity.ts";
import { decodeSummary } from "../catalog/stored-session.ts";
import type { KnownFold } from "../reading/known-fold.ts";
import { withSessionFile } from "../session-file/session-file.ts";
import { stampOfRemote } from "./remote-bytes.ts";
import type { RemoteLine } from "./remote-line.ts";
import type { KnownSession } from "./remote-sessions.ts";

/** What an entry of an outline takes, with its place in the table of ids. */
const ENTRY_BYTES = 64;
const CHARACTER_BYTES = 2;
/** What a thread keeps of folds: the pages of a session are asked for one after the other. */
const KEPT_BYTES = 12 * 1024 * 1024;

/** The folds of remote sessions, of which a thread keeps those that it has read last. */
export class RemoteFolds {
  readonly #line: RemoteLine;
  readonly #kept = new LRUCache<string, SessionFold>({ maxSize: KEPT_BYTES });

  constructor(line: RemoteLine) {
    this.#line = line;
  }

  /** The fold of a session as its file is now: what has been appended since it was kept is read. */
  find(path: string): KnownFold | null {
    const session = this.#line.ask("session", path);
    if (session === null) return null;
    const { file, known } = session;
    this.#line.expect(path, file);
    if (known === null) return null;
    const source = { path, size: known.progress.bytes, modifiedAt: file.modifiedAt };
    if (file.size === known.size) return { fold: this.#toRead(known), source, inode: file.content };
    const { progress } = known;
    const kept = { progress, fold: () => this.fold(known) };
    const read = withSessionFile(path, (opened) => opened.read(kept, stampOfRemote(file)));
    return { fold: read.fold, source: { ...source, size: read.progress.bytes }, inode: file.content };
  }

  /** A fold that nobody adds to. */
  #toRead(known: KnownSession): SessionFold {
    const { key, progress, summary } = known;
    const name = `${key} ${progress.bytes} ${progress.fingerprint}`;
    const kept = this.#kept.get(name);
    if (kept !== undefined) return kept;
    const fold = this.fold(known);
    this.#kept.set(name, fold, {
      size: Math.max(1, fold.outline.count * ENTRY_BYTES + summary.length * CHARACTER_BYTES),
    });
    return fold;
  }

  /** The fold as it was kept, to be resumed. */
  fold(known: KnownSession): SessionFold {
    const { state } = decodeSummary(known);
    const outline = Outline.decode(this.#line.ask("outline", known.key));
    const chunk = this.#line.ask("activity", known.key, activityPlace(outline.count));
    const activity = SessionActivity.resume(outline.count, chunk, (ordinal) => outline.timestamp(ordinal));
    return new SessionFold({ state, outline, activity });
  }
}
