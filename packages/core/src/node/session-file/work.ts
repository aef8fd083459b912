/** What a thread has done to the files of the user, counted for tests: speed is promised as work not done. */
export interface Work {
  filesOpened: number;
  bytesRead: number;
  /** Without those that were scanned, see `SessionFormat.scannedFacts`. */
  linesParsed: number;
  rowsWritten: number;
}

export const work: Work = { filesOpened: 0, bytesRead: 0, linesParsed: 0, rowsWritten: 0 };
