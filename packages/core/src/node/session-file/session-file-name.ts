/** Codex compresses sessions that were not written for a week. */
const PACKED = ".zst";

/** Codex names the file of a thread by the thread's ID, wherever it lies. */
const THREAD = "rollout-";

/** Whether a file of this name may be a session. */
export function isSessionFileName(name: string): boolean {
  return name.endsWith(".jsonl") || name.endsWith(`.jsonl${PACKED}`);
}

/** Whether a session file is compressed. */
export function isPacked(path: string): boolean {
  return path.endsWith(PACKED);
}

/** The path of a session as it is without compression. */
export function unpackedPath(path: string): string {
  return isPacked(path) ? path.slice(0, -PACKED.length) : path;
}

/** Whether a file of this name is of a thread that may have more than one. */
export function isThreadFile(name: string): boolean {
  return name.startsWith(THREAD);
}
