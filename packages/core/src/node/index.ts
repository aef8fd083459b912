export { lookIntoDirectories } from "./directories.ts";
export { fileError } from "./file-errors.ts";
export { withFileLock } from "./file-lock.ts";
export { type Library, type LibraryOptions, openLibrary } from "./library.ts";
export type { LibraryLog } from "./library-log.ts";
export type { SessionAgents } from "./live-files.ts";
export { isInside, openFile, readUpTo, readWholeFile } from "./open-file.ts";
export { type PreparedFile, prepareFile, replaceFile } from "./replace-file.ts";
export { isRunning } from "./running-process.ts";
export { bundleHash } from "./state/bundle-hash.ts";
export type {
  ConfigurationState,
  ConfigVersion,
  ConfigVersionRecord,
  ConfigVersionStore,
  StateOptions,
  StoredTag,
  TagStore,
  UserState,
} from "./state/ports.ts";
export { MOST_TAGS, placeProblem } from "./state/tag-tree.ts";
export { openUserState } from "./state/user-state.ts";
export type { Work } from "./work.ts";
