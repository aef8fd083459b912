import { randomUUID } from "node:crypto";
import type { BatchAnswer, FrameResult } from "../../hub/batch.ts";
import { forgetTitleTaken, setTaken } from "./said-changes.ts";
import type { SendingDatabase } from "./sending-database.ts";
import type { SentFrame } from "./sending-tasks.ts";
import { beginAnew, rowOfGeneration, type SentRow } from "./sent-file.ts";

/** Takes note of what a hub has answered, see `SendingTasks`. */
export function takeAnswer(
  database: SendingDatabase,
  answer: BatchAnswer,
  sent: readonly SentFrame[],
): { again: string[]; isOtherHub: boolean } {
  const isOtherHub = noteHub(database, answer.hub_id);
  const again = new Set<string>();
  for (const [place, frame] of sent.entries()) {
    const result = answer.results[place];
    if (result === undefined) break;
    for (const row of takeResult(database, frame, result)) again.add(row.owner ?? row.path);
  }
  return { again: [...again], isOtherHub };
}

/** @returns whether it has nothing of what was sent to another one before. */
function noteHub(database: SendingDatabase, id: string): boolean {
  const known = database.row<{ hub_id: string }>("SELECT hub_id FROM machine")?.hub_id ?? "";
  if (known === id) return false;
  database.run("UPDATE machine SET hub_id = ?", id);
  if (known === "") return false;
  database.run("UPDATE files SET taken = 0, taken_sent = 0, is_whole = 0, refused = NULL WHERE rules = ''");
  for (const { id: file } of database.rows<{ id: number }>("SELECT id FROM files WHERE rules <> ''")) {
    database.run("DELETE FROM blocks WHERE file = ?", file);
    database.run(
      `UPDATE files SET generation = ?, read = 0, read_sent = 0, taken = 0, taken_sent = 0, is_whole = 0, size = -1,
       refused = NULL WHERE id = ?`,
      randomUUID(),
      file,
    );
  }
  database.run("UPDATE changes SET is_taken = 0");
  return true;
}

/** @returns files of which the hub lacks something. */
function takeResult(database: SendingDatabase, frame: SentFrame, result: FrameResult): SentRow[] {
  if (frame.kind === "changes") {
    // One that is refused would be refused again.
    for (const change of frame.changes) setTaken(database, change);
    return [];
  }
  if (frame.kind === "known") {
    const counts = "known" in result ? result.known : [];
    return frame.generations.flatMap((generation, place) => {
      const row = rowOfGeneration(database, generation);
      const bytes = counts[place];
      return row === undefined || bytes === undefined ? [] : takeBytes(database, row, bytes, false);
    });
  }
  const row = rowOfGeneration(database, frame.generation);
  // It was rewritten meanwhile.
  if (row === undefined) return [];
  if ("bytes" in result && result.bytes !== null) {
    return takeBytes(database, row, result.bytes, frame.isLast && !("refused" in result));
  }
  return refuse(database, row, "refused" in result ? result.refused : "The hub has not understood it.");
}

/** @param isLast whether the hub has heard that there are no more. */
function takeBytes(database: SendingDatabase, row: SentRow, bytes: number, isLast: boolean): SentRow[] {
  if (bytes === 0) forgetTitleTaken(database, row.path);
  const taken = inFile(row, bytes);
  // More than was sent, or a part of something redacted: nobody knows what it is.
  if (taken === null) return [beginAnew(database, row, row.rules)];
  const isAll = taken === row.read;
  const isWhole = isAll && (isLast || row.is_whole === 1);
  database.run(
    "UPDATE files SET taken = ?, taken_sent = ?, is_whole = ? WHERE id = ?",
    taken,
    bytes,
    isWhole ? 1 : 0,
    row.id,
  );
  return isWhole ? [] : [row];
}

/** Where in the file so many bytes end as they were sent; `null` if that cannot be told. */
function inFile({ rules, read, read_sent, taken, taken_sent }: SentRow, bytes: number): number | null {
  if (rules === "") return bytes <= read ? bytes : null;
  if (bytes === read_sent) return read;
  return bytes === taken_sent ? taken : null;
}

/** A state that the hub has begun with may be that of another file there. @returns the file, if it is to be sent anew. */
function refuse(database: SendingDatabase, row: SentRow, reason: string): SentRow[] {
  if (row.taken > 0) return [beginAnew(database, row, row.rules)];
  database.run("UPDATE files SET refused = ? WHERE id = ?", reason, row.id);
  return [];
}
