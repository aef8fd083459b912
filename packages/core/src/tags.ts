/** A tag of the user's tree of tags. */
export interface Tag {
  id: string;
  name: string;
  /** `#rrggbb`, in lower case. */
  color: string;
  /** `null` at the top. */
  parent_id: string | null;
  /** Sessions that have this very tag, without those below it. */
  session_count: number;
}

export interface TagOptions {
  name: string;
  color: string;
  /** A tag above it; at the top where absent. */
  parent_id?: string | null | undefined;
}

/** What of a tag is to become another; what is `undefined` stays. */
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
 * The tags, and what they are attached to. Implemented by `@sm/core/node`.
 *
 * Rejects with AppError `NOT_FOUND` for a tag that does not exist, and `CONFLICT` for a name that a sibling has and for
 * a parent that lies below the tag.
 */
export interface TagService {
  /** In the order of their names. */
  list(): Promise<Tag[]>;
  create(options: TagOptions): Promise<Tag>;
  update(id: string, changes: TagChanges): Promise<Tag>;
  /** Its children move up to its parent; one whose name is taken there gets " (2)". */
  delete(id: string): Promise<{ id: string; deleted: true }>;
  /** All of these sessions or none; one that has the tag keeps it. In the order of `paths`. */
  assign(paths: readonly string[], tagId: string): Promise<TaggedSession[]>;
  /** All of these sessions or none; one without the tag stays so. In the order of `paths`. */
  remove(paths: readonly string[], tagId: string): Promise<TaggedSession[]>;
}
