import type { SessionPlaces } from "../session-file/session-roots.ts";
import type { Work } from "../session-file/work.ts";
import type { IndexPlace } from "../storage/index-place.ts";
import type { DeskLink } from "./answer-desk.ts";
import type { CacheShare } from "./cache-budget.ts";
import type { CurrentTask, Unwanted } from "./unwanted.ts";

/** Input and output of a thread's tasks by name, defined by each folder. */
export type TaskMap<Tasks> = { [Name in keyof Tasks]: { input: unknown; output: unknown } };

/** Tasks of every thread. */
export type ThreadTasks = {
  work: { input: null; output: Work };
  /** Whether the thread may end: it has no open streams. */
  isFree: { input: null; output: boolean };
};

/** All tasks of a thread. */
type AllOf<Tasks> = Tasks & ThreadTasks;

export type NameOf<Tasks> = string & keyof AllOf<Tasks>;
export type InputOf<Tasks, Name extends NameOf<Tasks>> = AllOf<Tasks>[Name] extends { input: infer Input }
  ? Input
  : never;
export type OutputOf<Tasks, Name extends NameOf<Tasks>> = AllOf<Tasks>[Name] extends { output: infer Output }
  ? Output
  : never;

/** Implementations of tasks. */
export type TaskHandlers<Tasks> = {
  [Name in NameOf<Tasks>]: (
    input: InputOf<Tasks, Name>,
    task: CurrentTask,
  ) => OutputOf<Tasks, Name> | Promise<OutputOf<Tasks, Name>>;
};

/** Configuration of a thread. `index` is `null` if no index can be stored. */
export interface ThreadSetting {
  index: IndexPlace | null;
  /** What its caches may hold. */
  caches: CacheShare;
}

/** The first message to a worker. */
export interface WorkerSetting extends ThreadSetting {
  unwanted: Unwanted;
  /** Where its tasks ask for what they read; `null`: they read files. */
  desk: DeskLink | null;
  /** Whether other threads go first, see `yieldToOthers`. */
  isBackground: boolean;
}

/** Sets where sessions are. */
export type PlacesMessage = SessionPlaces;

/** May precede the setting: directories to be scanned soon, absolute paths. */
export interface DirectoriesAhead {
  ahead: string[];
}
