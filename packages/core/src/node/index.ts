export type { LibraryLog } from "../library-log.ts";
export { fileError } from "./files/file-errors.ts";
export { withFileLock } from "./files/file-lock.ts";
export { isInside, openFile, readUpTo, readWholeFile } from "./files/open-file.ts";
export { type PreparedFile, prepareFile, replaceFile } from "./files/replace-file.ts";
export { isRunning } from "./files/running-process.ts";
export { lookIntoDirectories } from "./library/directories.ts";
export { type Library, type LibraryOptions, openLibrary } from "./library/library.ts";
export type { SessionAgents } from "./library/live-files.ts";
export type { Work } from "./session-file/work.ts";
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
