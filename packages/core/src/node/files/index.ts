/// <reference types="node" preserve="true" />
// What writes files of the user's needs no library of sessions: replacing, locking and opening them, and what the file
// system says in words.
export { fileError } from "./file-errors.ts";
export { withFileLock } from "./file-lock.ts";
export { isInside, openFile, readUpTo, readWholeFile } from "./open-file.ts";
export { type PreparedFile, prepareFile, replaceFile } from "./replace-file.ts";
export { isRunning } from "./running-process.ts";
