/// <reference types="node" preserve="true" />
export type { LibraryLog } from "../library-log.ts";
export type { AgentCleanup } from "./library/agent-cleanups.ts";
export { ownDirectories, startDirectoryScan } from "./library/directories.ts";
export type { Library, LibraryOptions } from "./library/library.ts";
export type { SessionAgents } from "./library/live-files.ts";
export { openLibrary } from "./library/open-library.ts";
export type { Work } from "./session-file/work.ts";
export { bundleHash } from "./state/bundle-hash.ts";
export type {
  BackedUpMarks,
  ConfigurationState,
  ConfigVersion,
  ConfigVersionRecord,
  ConfigVersionStore,
  StateOptions,
  StoredTag,
  TagStore,
  UserState,
} from "./state/ports.ts";
export { MAX_MARKS } from "./state/ports.ts";
export { MAX_TAGS, placeProblem } from "./state/tag-tree.ts";
export { openUserState } from "./state/user-state.ts";
export type { LibraryMemory } from "./threads/cache-budget.ts";
