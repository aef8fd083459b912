import { formatNamed } from "../../format/formats.ts";
import { onlyReadError } from "../../format/only-read.ts";
import { forkInput, renameInput } from "../../input/library.ts";
import { validate } from "../../input/validate.ts";
import type { Requester } from "../../requester.ts";
import type { SessionRecord } from "../../session/record.ts";
import type { OpenIndex } from "../indexing/open-index.ts";
import type { StateStore } from "../state/ports.ts";
import type { CurrentSessions } from "./current-sessions.ts";
import type { LiveFiles } from "./live-files.ts";

export interface SessionWritingOptions {
  index: Pick<OpenIndex, "list" | "atLength">;
  current: Pick<CurrentSessions, "path" | "record" | "session">;
  live: Pick<LiveFiles, "rename">;
  marks: Pick<StateStore, "setName">;
  /** Called with sessions whose records changed although their files did not. */
  touched(paths: string[]): void;
}

/** Renames and forks sessions, in the formats of their agents. Each method validates what it is given. */
export class SessionWriting {
  readonly #options: SessionWritingOptions;

  constructor(options: SessionWritingOptions) {
    this.#options = options;
  }

  async rename(givenPath: string, givenName: string, requester?: Requester): Promise<SessionRecord> {
    const { path, name } = validate(renameInput, { path: givenPath, name: givenName });
    const { index, current, live, marks, touched } = this.#options;
    const own = await current.path(path);
    requester?.signal?.throwIfAborted();
    if (await live.rename(own, name)) {
      const record = await current.record(own);
      // Some agents cannot be controlled, and none accepts an empty name.
      if ((record.name ?? "") === name) return record;
    }
    // One that cannot be read has no record; writing into it says why.
    const known = await index.list((listing) => listing.one(own));
    if (known !== null && (known.source === "vault" || formatNamed(known.format).writer === null)) {
      await marks.setName({ path: own, id: known.id }, name);
      touched([own]);
      return current.record(own);
    }
    await index.atLength("rename", { path: own, name }, requester);
    return current.record(own);
  }

  async fork(givenPath: string, entryId: string | null, requester?: Requester): Promise<SessionRecord> {
    const { path, entry_id } = validate(forkInput, { path: givenPath, entry_id: entryId });
    const { index, current } = this.#options;
    const source = await current.session(path);
    if (!source.capabilities.fork) throw onlyReadError(source, "forked");
    return current.record(await index.atLength("fork", { path: source.path, entryId: entry_id ?? null }, requester));
  }
}
