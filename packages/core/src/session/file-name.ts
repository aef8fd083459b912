/** The name of a session file without its directory and `.jsonl`. */
export function fileStem(path: string): string {
  const fileName = path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1);
  return fileName.replace(/\.jsonl$/, "");
}

/** The ID in a file name `<timestamp>_<id>.jsonl`; without a timestamp the whole name is the ID. */
export function idOfFileName(path: string): string {
  const stem = fileStem(path);
  return /^\d{4}-\d\d-\d\dT[\d-]+Z_(.+)$/.exec(stem)?.[1] ?? stem;
}
