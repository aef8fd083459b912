/** Counts a thread's operations on user files, for tests of efficiency. */
export interface Work {
  filesOpened: number;
  /** Calls of the file system for content. */
  reads: number;
  bytesRead: number;
  /** Without scanned lines, see `SessionFormat.scannedFacts`. */
  linesParsed: number;
  rowsWritten: number;
}

export const work: Work = { filesOpened: 0, reads: 0, bytesRead: 0, linesParsed: 0, rowsWritten: 0 };
