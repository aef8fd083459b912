export { type Library, type LibraryOptions, openLibrary } from "./library.ts";
export type { LibraryLog } from "./library-log.ts";
export type { Work } from "./work.ts";
