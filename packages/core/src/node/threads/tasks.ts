import type { SessionRoot } from "../session-file/session-roots.ts";
import type { Work } from "../session-file/work.ts";
import type { IndexPlace } from "../storage/index-place.ts";
import type { CurrentTask, Unwanted } from "./unwanted.ts";

/** Tasks of a thread by their names, each with what it takes and what it gives: what a room gives threads to do. */
export type TaskMap<Tasks> = { [Name in keyof Tasks]: { input: unknown; output: unknown } };

/** What every thread does. */
export type ThreadTasks = {
  work: { input: null; output: Work };
  /** Whether the thread may end: it has begun nothing that is to go on. */
  isFree: { input: null; output: boolean };
};

/** The tasks of a thread that is given these. */
type AllOf<Tasks> = Tasks & ThreadTasks;

export type NameOf<Tasks> = string & keyof AllOf<Tasks>;
export type InputOf<Tasks, Name extends NameOf<Tasks>> = AllOf<Tasks>[Name] extends { input: infer Input }
  ? Input
  : never;
export type OutputOf<Tasks, Name extends NameOf<Tasks>> = AllOf<Tasks>[Name] extends { output: infer Output }
  ? Output
  : never;

/** What carries tasks out. */
export type TaskHandlers<Tasks> = {
  [Name in NameOf<Tasks>]: (
    input: InputOf<Tasks, Name>,
    task: CurrentTask,
  ) => OutputOf<Tasks, Name> | Promise<OutputOf<Tasks, Name>>;
};

/** What a thread is started with. `index` is `null` where no index can be kept. */
export interface ThreadSetting {
  index: IndexPlace | null;
}

/** The first message to a worker. */
export interface WorkerSetting extends ThreadSetting {
  unwanted: Unwanted;
}

/** Says where session files are opened from now on; `null` is never sent. */
export interface RootsMessage {
  roots: readonly SessionRoot[];
}

/** What a thread may be told before its setting: directories that it will soon have to compare, absolute. */
export interface DirectoriesAhead {
  ahead: string[];
}
