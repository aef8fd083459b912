// For libraries whose sessions are kept elsewhere: the parts of a library that know nothing of files and of SQLite.

export * from "../../input/library.ts";
export type { MarkedPaths } from "../catalog/listing.ts";
export { listCursor, listStart, type Place } from "../catalog/page-cursor.ts";
export { flattened, oneAhead, pulled, textOf } from "../reading/read-ahead.ts";
export { Archiving } from "./archiving.ts";
export { Bookmarks } from "./bookmarks.ts";
export { Favorites } from "./favorites.ts";
export { LibraryEvents } from "./library-events.ts";
export { type FileRange, LibraryExports } from "./library-exports.ts";
export { Marking } from "./marking.ts";
export { Notes } from "./notes.ts";
export { arrayOf, pageOf } from "./record-array.ts";
export { searchTask } from "./search-task.ts";
export { statisticsTask } from "./statistics-task.ts";
export { Tagging } from "./tagging.ts";
export { treeSubagent } from "./tree-subagent.ts";
