import { setImmediate as turn } from "node:timers/promises";
import type { Note } from "../../notes.ts";
import { nameMatcher } from "../../search/own-name.ts";
import type { FieldNode } from "../../search/query-tree.ts";
import type { TranscriptNotes } from "../../session/transcript.ts";
import type { NoteStore, SessionIdentity } from "../state/ports.ts";

export interface NotesOptions {
  notes: NoteStore;
  /** Finds a session by the path of a payload. Rejects like all commands with a path. */
  session(path: string): Promise<SessionIdentity>;
  /** Rejects where a session has no such entry. */
  checkEntry(path: string, entryId: string): Promise<void>;
  /** Which of these paths are sessions. */
  existing(paths: string[]): Promise<Set<string>>;
  /** Called with sessions whose records changed. */
  touched(paths: string[]): void;
}

/** Notes on the sessions of a library. */
export class Notes {
  readonly #options: NotesOptions;

  constructor(options: NotesOptions) {
    this.#options = options;
  }

  async set(given: string, entryId: string | null, text: string): Promise<Note | null> {
    const { notes, session, checkEntry, touched } = this.#options;
    const { path, id } = await session(given);
    // A note on an entry that is gone can be removed.
    if (entryId !== null && text !== "") await checkEntry(path, entryId);
    const updated_at = new Date().toISOString();
    await notes.set({ path, id }, entryId, text, updated_at);
    touched([path]);
    return text === "" ? null : { path, entry_id: entryId, text, updated_at };
  }

  async list(given: string | null): Promise<AsyncIterable<Note>> {
    return this.#listed(given === null ? null : (await this.#options.session(given)).path);
  }

  async *#listed(path: string | null): AsyncGenerator<Note, void> {
    for await (const page of this.#options.notes.pages(path)) {
      const existing = await this.#options.existing(page.map((note) => note.path));
      for (const note of page) if (existing.has(note.path)) yield note;
    }
  }

  /** Those of one session by what they are on, for an export. */
  async of(path: string): Promise<Omit<TranscriptNotes, "bookmarks">> {
    let session: string | null = null;
    const entries = new Map<string, string>();
    for await (const page of this.#options.notes.pages(path)) {
      for (const { entry_id, text } of page) {
        if (entry_id === null) session = text;
        else entries.set(entry_id, text);
      }
    }
    return { session, entries };
  }

  /** Paths of sessions with a note that has all words of a field. Others have their turn in between. */
  async matching(field: Pick<FieldNode, "value" | "prefix">): Promise<string[]> {
    const matches = nameMatcher(field);
    const found = new Set<string>();
    for await (const page of this.#options.notes.pages(null)) {
      for (const { path, text } of page) {
        if (found.has(path)) continue;
        if (matches(text)) found.add(path);
        // One of the longest takes a millisecond.
        if (text.length > LONG) await turn();
      }
    }
    return [...found];
  }

  /** Paths of sessions with notes. */
  paths(): Promise<string[]> {
    return this.#options.notes.paths();
  }
}

const LONG = 2_000;
