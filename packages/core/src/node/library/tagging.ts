import { setImmediate as turn } from "node:timers/promises";
import { createTagInput, updateTagInput } from "../../input/library.ts";
import { validate } from "../../input/validate.ts";
import type { Tag, TagChanges, TaggedSession, TagOptions, TagService } from "../../tags.ts";
import type { SessionIdentity, StateStore, StoredTag, TagStore } from "../state/ports.ts";

export interface TaggingOptions {
  tags: TagStore;
  marks: Pick<StateStore, "marks">;
  /** Finds a session by the path of a payload. Rejects like all commands with a path. */
  session(path: string): Promise<SessionIdentity>;
  /** Which of these paths are sessions. */
  existing(paths: string[]): Promise<Set<string>>;
  /** Paths of archived sessions, which do not count. */
  archived(): Promise<ReadonlySet<string>>;
  /** Called with sessions whose records changed. */
  touched(paths: string[]): void;
}

/** A few milliseconds: then others have their turn. */
const SESSIONS_AT_ONCE = 500;

/** Tags the sessions of a library. */
export class Tagging implements TagService {
  readonly #options: TaggingOptions;

  constructor(options: TaggingOptions) {
    this.#options = options;
  }

  async list(): Promise<Tag[]> {
    const [tags, counts] = await Promise.all([this.#options.tags.list(), this.#counts()]);
    return tags.map((tag) => counted(tag, counts));
  }

  async create(options: TagOptions): Promise<Tag> {
    return counted(await this.#options.tags.create(validate(createTagInput, options)), new Map());
  }

  async update(given: string, changes: TagChanges): Promise<Tag> {
    const { id, ...checked } = validate(updateTagInput, { ...changes, id: given });
    return counted(await this.#options.tags.update(id, checked), await this.#counts());
  }

  /**
   * A tag of few sessions goes at once with all of them. Where a larger one fails on the way, it is still there, on the
   * sessions that are left.
   */
  async delete(id: string): Promise<{ id: string; deleted: true }> {
    const { tags, touched } = this.#options;
    for (;;) {
      const some = await tags.takeOff(id, SESSIONS_AT_ONCE);
      if (some.length === 0) break;
      touched(some);
      await turn();
    }
    touched(await tags.delete(id));
    return { id, deleted: true };
  }

  assign(paths: readonly string[], tagId: string): Promise<TaggedSession[]> {
    return this.#change(paths, (sessions) => this.#options.tags.assign(sessions, tagId));
  }

  remove(paths: readonly string[], tagId: string): Promise<TaggedSession[]> {
    return this.#change(paths, (sessions) => this.#options.tags.remove(sessions, tagId));
  }

  async #change(
    paths: readonly string[],
    change: (sessions: SessionIdentity[]) => Promise<void>,
  ): Promise<TaggedSession[]> {
    const sessions: SessionIdentity[] = [];
    for (const path of paths) sessions.push(await this.#options.session(path));
    await change(sessions);
    await turn();
    this.#options.touched(sessions.map(({ path }) => path));
    const tagged: TaggedSession[] = [];
    for (let start = 0; start < sessions.length; start += SESSIONS_AT_ONCE) {
      await turn();
      const some = sessions.slice(start, start + SESSIONS_AT_ONCE);
      const marks = await this.#options.marks.marks(some);
      for (const { path } of some) tagged.push({ session_path: path, tag_ids: marks.get(path)?.tag_ids ?? [] });
    }
    return tagged;
  }

  async #counts(): Promise<Map<string, number>> {
    const assignments = await this.#options.tags.assignments();
    const archived = await this.#options.archived();
    const paths = new Set(assignments.flatMap(({ path }) => (archived.has(path) ? [] : [path])));
    const existing = await this.#options.existing([...paths]);
    const counts = new Map<string, number>();
    for (const { tagId, path } of assignments) {
      if (existing.has(path)) counts.set(tagId, (counts.get(tagId) ?? 0) + 1);
    }
    return counts;
  }
}

function counted(tag: StoredTag, counts: ReadonlyMap<string, number>): Tag {
  return { ...tag, session_count: counts.get(tag.id) ?? 0 };
}
