/// <reference types="node" preserve="true" />
// Safe writing of user files, without the session library: replacing, locking and opening files, and messages for file
// system errors.
export { describeFileErrors, fileError } from "./file-errors.ts";
export { withFileLock } from "./file-lock.ts";
export { isInside, openFile, readUpTo, readWholeFile } from "./open-file.ts";
export { type PreparedFile, prepareFile, replaceFile } from "./replace-file.ts";
export { isRunning } from "./running-process.ts";
