export { lookIntoDirectories } from "./directories.ts";
export { fileError } from "./file-errors.ts";
export { withFileLock } from "./file-lock.ts";
export { type Library, type LibraryOptions, openLibrary } from "./library.ts";
export type { LibraryLog } from "./library-log.ts";
export type { SessionAgents } from "./live-files.ts";
export { type PreparedFile, prepareFile, replaceFile } from "./replace-file.ts";
export {
  bundleHash,
  type ConfigVersion,
  type ConfigVersionRecord,
  type ConfigVersionStore,
} from "./state/config-versions.ts";
export type { ConfigurationState } from "./state/configuration.ts";
export { MOST_TAGS, placeProblem, type StoredTag, type TagStore } from "./state/tags.ts";
export { openUserState, type UserState } from "./state/user-state.ts";
export type { Work } from "./work.ts";
