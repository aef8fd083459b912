/** A call that changed a file. */
export interface FileEdit {
  /** Entry of the call. */
  entry_id: string;
  /** RFC 3339, `null` if missing or invalid. */
  timestamp: string | null;
  added: number;
  removed: number;
}

/** What the calls of a session did to a file, with calls that failed left out. */
export interface ChangedFile {
  /** As the model gave it. */
  path: string;
  /** Its path before it was moved, `null` if it was not. */
  moved_from: string | null;
  /** `written` is new or has been replaced as a whole: the agent does not record which. */
  action: "edited" | "written" | "deleted";
  /** Lines of the merged diff: what was added and taken away again does not count. */
  added: number;
  removed: number;
  /** Root to leaf. */
  edits: FileEdit[];
  /**
   * Hunks of the merged diff, unified. Line numbers are those of the recorded changes, as the file itself is not read.
   * `null` if the changes of this file were not asked for.
   */
  diff: string | null;
  /** Whether `diff` is only its beginning. */
  truncated: boolean;
}

/** How much a branch has changed: numbers of files and of lines. */
export interface ChangeCounts {
  files: number;
  added: number;
  removed: number;
  /** Whether these are all, see {@link SessionChanges}. */
  complete: boolean;
}

/** What the newest branch of a session has changed. */
export interface ChangeSums extends ChangeCounts {
  path: string;
}

/** The files that one branch of a session has changed. */
export interface SessionChanges {
  /** In the order of their first change. */
  files: ChangedFile[];
  added: number;
  removed: number;
  leaf_id: string | null;
  /** Whether these are all: a session may change more files than an answer has room for. */
  complete: boolean;
}

export interface ChangesOptions {
  path: string;
  /** Any entry; selects the branch from the root to it. Default: the newest leaf. */
  leaf_id?: string | undefined;
  /** Paths of the files whose diffs are wanted; default: of all. */
  files?: string[] | undefined;
}
