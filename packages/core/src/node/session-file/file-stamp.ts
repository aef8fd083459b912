/** File status; equal if nothing has changed. */
export interface FileStamp {
  size: number;
  /** Milliseconds since 1970, with fractions. */
  mtime: number;
  ctime: number;
  inode: number;
}

export function sameStamp(a: FileStamp, b: FileStamp): boolean {
  return a.size === b.size && a.mtime === b.mtime && a.ctime === b.ctime && a.inode === b.inode;
}

export function stampOf(stat: { size: number; mtimeMs: number; ctimeMs: number; ino: number }): FileStamp {
  return { size: stat.size, mtime: stat.mtimeMs, ctime: stat.ctimeMs, inode: stat.ino };
}
