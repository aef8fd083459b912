export { fileError } from "./file-errors.ts";
export { type Library, type LibraryOptions, openLibrary } from "./library.ts";
export type { LibraryLog } from "./library-log.ts";
export type { ConfigVersion, ConfigVersionStore } from "./state/config-versions.ts";
export { openUserState, type UserState } from "./state/user-state.ts";
export type { Work } from "./work.ts";
