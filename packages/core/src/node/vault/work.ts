/** Counts what a thread's vaults do, for tests of efficiency. */
export const work = { rowsWritten: 0, bytesRead: 0, bytesPacked: 0, bytesUnpacked: 0 };
