/** A tag of the user's tree of tags. */
export interface Tag {
  id: string;
  name: string;
  /** `#rrggbb`, in lower case. */
  color: string;
  /** `null` at the top level. */
  parent_id: string | null;
  /** Sessions with this tag, excluding archived ones and those with a tag below it. */
  session_count: number;
}

export interface TagOptions {
  name: string;
  color: string;
  /** Parent tag; default: top level. */
  parent_id?: string | null | undefined;
}

/** Changes to a tag; `undefined` fields are kept. */
export interface TagChanges {
  name?: string | undefined;
  color?: string | undefined;
  parent_id?: string | null | undefined;
}

export interface TaggedSession {
  session_path: string;
  tag_ids: string[];
}

/**
 * Tags and their sessions. Implemented by `@sm/core/node`.
 *
 * Rejects with AppError `NOT_FOUND` for an unknown tag, and `CONFLICT` if a sibling has the name or the new parent is
 * below the tag.
 */
export interface TagService {
  /** Sorted by name. */
  list(): Promise<Tag[]>;
  create(options: TagOptions): Promise<Tag>;
  update(id: string, changes: TagChanges): Promise<Tag>;
  /** Moves its children up one level; a child whose name is in use there gets " (2)". */
  delete(id: string): Promise<{ id: string; deleted: true }>;
  /** Atomic; sessions that already have the tag keep it. Results are in the order of `paths`. */
  assign(paths: readonly string[], tagId: string): Promise<TaggedSession[]>;
  /** Atomic; sessions without the tag are unchanged. Results are in the order of `paths`. */
  remove(paths: readonly string[], tagId: string): Promise<TaggedSession[]>;
}
