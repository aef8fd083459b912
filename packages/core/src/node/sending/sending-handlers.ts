import { formats } from "../../format/formats.ts";
import { MOST_KNOWN } from "../../hub/batch.ts";
import { isInside } from "../files/open-file.ts";
import type { TaskHandlers, ThreadTasks } from "../threads/tasks.ts";
import { agentTitle } from "./agent-title.ts";
import { BatchFilling, packBatch } from "./batch-filling.ts";
import { noteDeleted, noteMoved, noteSaid, noteTitle, waitingCount } from "./said-changes.ts";
import { SendingDatabase } from "./sending-database.ts";
import { SendingForms } from "./sending-forms.ts";
import type { SendingTasks } from "./sending-tasks.ts";
import { isTaken, rowOf } from "./sent-file.ts";
import { takeAnswer } from "./taking-answers.ts";

/** The tasks of the thread that prepares what is sent to a hub. */
export function sendingHandlers(): Omit<TaskHandlers<SendingTasks>, keyof ThreadTasks> {
  let opened: { path: string; database: SendingDatabase; forms: SendingForms } | null = null;
  const at = (path: string) => {
    if (opened?.path !== path) {
      opened?.database.close();
      const database = new SendingDatabase(path);
      opened = { path, database, forms: new SendingForms(database.redactionKey) };
    }
    return opened;
  };
  return {
    untaken({ database: path, files, redaction }) {
      const { database, forms } = at(path);
      const { rules } = forms.of(redaction, null);
      // What is read anew says it then.
      database.write(() => {
        for (const file of files) {
          const title = agentTitle(file);
          if (title !== null) noteTitle(database, file, title);
        }
      });
      return files
        .filter((file) => !isTaken(rowOf(database, file.path), null, file.stamp, rules))
        .map((file) => file.path);
    },
    fillBatch({ database: path, sessions, redaction, changeKinds, machineName }) {
      const { database, forms } = at(path);
      const formOf = (project: string | null) => forms.of(redaction, project);
      return new BatchFilling(database, formOf, changeKinds).fill(sessions, machineName);
    },
    fillQuestion({ database: path, after, machineName }) {
      const { database } = at(path);
      const rows = database.rows<{ id: number; generation: string }>(
        "SELECT id, generation FROM files WHERE id > ? AND read_sent > 0 ORDER BY id LIMIT ?",
        after,
        MOST_KNOWN,
      );
      const generations = rows.map(({ generation }) => generation);
      const frame = { kind: "known" as const, generations };
      const body =
        rows.length === 0 ? null : packBatch(database.machineId, machineName, [{ frame, bytes: Buffer.alloc(0) }]);
      return { body, fileBytes: 0, sent: [frame], next: rows.at(-1)?.id ?? null };
    },
    takeAnswer({ database: path, answer, sent }) {
      const { database } = at(path);
      return database.write(() => takeAnswer(database, answer, sent));
    },
    noteSaid({ database: path, sessions, at: now }) {
      const { database } = at(path);
      return database.write(() => sessions.map((session) => noteSaid(database, session, now)).includes(true));
    },
    noteDeleted({ database: path, paths, at: now }) {
      const { database } = at(path);
      database.write(() => {
        for (const deleted of paths) noteDeleted(database, deleted, now);
      });
      return null;
    },
    noteMoved({ database: path, moves, at: now }) {
      const { database } = at(path);
      database.write(() => {
        for (const { from, to } of moves) {
          const format = rowOf(database, from)?.format ?? null;
          noteMoved(database, { from, to, companionOf: (companion) => movedAlong(format, from, to, companion) }, now);
        }
      });
      return null;
    },
    outboxStatus({ database: path, changeKinds }) {
      const { database } = at(path);
      const count = (sql: string) => database.row<{ count: number }>(sql)?.count ?? 0;
      return {
        machineId: database.machineId,
        files: count("SELECT count(*) AS count FROM files WHERE is_whole = 1 AND taken = read"),
        waitingChanges: waitingCount(database, changeKinds),
        refused: database
          .rows<{ path: string; refused: string }>("SELECT path, refused FROM files WHERE refused IS NOT NULL LIMIT 10")
          .map(({ path: file, refused }) => `The hub refuses ${file}: ${refused}`),
      };
    },
  };
}

/** Where a file that belongs to a session is when the session has another path; `null` if it belongs to none there. */
function movedAlong(format: string | null, from: string, to: string, companion: string): string | null {
  const agent = formats.find(({ name }) => name === format)?.agent;
  if (agent === undefined) return null;
  const folders = agent.companions(to);
  for (const [place, folder] of agent.companions(from).entries()) {
    const moved = folders[place];
    if (moved !== undefined && (companion === folder || isInside(companion, folder))) {
      return moved + companion.slice(folder.length);
    }
  }
  return null;
}
