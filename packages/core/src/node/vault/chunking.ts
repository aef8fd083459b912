/** Shorter chunks are packed worse, and their rows cost more. */
const MIN_CHUNK_BYTES = 128 * 1024;
/** Longer ones make a page of a session slow to read. */
export const AIM_CHUNK_BYTES = 512 * 1024;
const MAX_CHUNK_BYTES = 1024 * 1024;
/** What of the next line decides whether a chunk ends before it: in most formats an id or a time is in it. */
const LOOK_AHEAD_BYTES = 64;
/** As much as {@link chunkEnd} needs to see. */
export const CHUNK_WINDOW_BYTES = MAX_CHUNK_BYTES + LOOK_AHEAD_BYTES;

const LF = 0x0a;

/**
 * Where the chunk ends that begins with these bytes. Chunks end at lines that their own content chooses, so that files
 * with equal lines, such as forks, have equal chunks, wherever the lines are.
 *
 * @param bytes at most {@link CHUNK_WINDOW_BYTES} of them matter.
 * @returns `null` if that depends on bytes that follow.
 */
export function chunkEnd(bytes: Uint8Array): number | null {
  let lastEnd = 0;
  let lineStart = bytes.lastIndexOf(LF, MIN_CHUNK_BYTES - 2) + 1;
  for (;;) {
    const found = bytes.indexOf(LF, Math.max(lineStart, MIN_CHUNK_BYTES - 1));
    const end = found + 1;
    if (found < 0 || end > MAX_CHUNK_BYTES || end + LOOK_AHEAD_BYTES > bytes.length) break;
    if (endsBefore(bytes, end, end - lineStart)) return end;
    lastEnd = end;
    lineStart = end;
  }
  if (bytes.length < CHUNK_WINDOW_BYTES) return null;
  return lastEnd > 0 ? lastEnd : MAX_CHUNK_BYTES;
}

/** The longer the line, the likelier: chunks of short and of long lines are equally long. */
function endsBefore(bytes: Uint8Array, next: number, lineBytes: number): boolean {
  let hash = 0x811c9dc5;
  for (let at = next; at < next + LOOK_AHEAD_BYTES; at++) hash = Math.imul(hash ^ (bytes[at] ?? 0), 0x01000193);
  // The last bytes have changed only the lower bits yet.
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  hash = (hash ^ (hash >>> 13)) >>> 0;
  return hash / 2 ** 32 < lineBytes / (AIM_CHUNK_BYTES - MIN_CHUNK_BYTES);
}
