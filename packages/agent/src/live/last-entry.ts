import { open } from "node:fs/promises";
import { parseLine } from "@sm/core";

/** The last entries are shorter, unless they contain images. */
const READ_BYTES = 256 * 1024;

/** Reads the ID of a session file's last entry; `null` if its last lines have none. */
export async function lastEntryId(path: string): Promise<string | null> {
  const file = await open(path).catch(() => null);
  if (file === null) return null;
  try {
    const { size } = await file.stat();
    const buffer = Buffer.alloc(Math.min(size, READ_BYTES));
    const { bytesRead } = await file.read(buffer, 0, buffer.length, size - buffer.length);
    const lines = buffer.toString("utf8", 0, bytesRead).split("\n");
    for (const line of lines.toReversed()) {
      const entry = parseLine(line);
      if (entry !== null && entry.type !== "session" && typeof entry.id === "string") return entry.id;
    }
    return null;
  } catch {
    return null;
  } finally {
    await file.close();
  }
}
