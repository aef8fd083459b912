import { Streams } from "../threads/streams.ts";
import type { TaskHandlers, ThreadTasks } from "../threads/tasks.ts";
import type { CopyProgress, PurgeLimits, Vault } from "../vault/vault.ts";
import { checkNext } from "./checking.ts";
import { deletedSessions } from "./deleted-sessions.ts";
import type { KeepingTasks, Retention } from "./keeping-tasks.ts";
import { restore } from "./restoring.ts";
import { SessionKeeper } from "./session-keeper.ts";

/** Takes a tenth of a second. */
const SETTLED_BYTES = 4 * 1024 * 1024;

/** The tasks of the thread that writes to a vault. */
export function keepingHandlers(vault: Vault): Omit<TaskHandlers<KeepingTasks>, keyof ThreadTasks> {
  const keeper = new SessionKeeper(vault);
  const copies = new Streams<CopyProgress>();
  return {
    unkept: ({ files }) => keeper.unkept(files),
    keep: ({ sessions }, task) => keeper.keep(sessions, task),
    survey: () => keeper.survey(),
    moved: (moves) => {
      for (const { from, to } of moves) vault.move(from, to);
      return null;
    },
    vanished: ({ paths }) => keeper.vanished(paths),
    deleted: ({ path, isForever }) => keeper.deleted(path, isForever),
    undelete: ({ path }) => keeper.undelete(path),
    deletedSessions: ({ deletedMs }) => deletedSessions(vault, deletedMs),
    generations: ({ path }) => keeper.generations(path),
    restore: (restoration) => {
      restore(vault, restoration);
      return null;
    },
    partsToVerify: () => vault.rowsToVerify(),
    vaultStatus: () => vault.status(),
    verifyVault: ({ cursor }) => checkNext(vault, cursor),
    purge: (retention) => {
      vault.purge(limitsOf(retention));
      return null;
    },
    previewPurge(retention) {
      const { generations, freedBytes } = vault.purge({ ...limitsOf(retention), isDryRun: true });
      const sessions = generations.filter(({ isSession }) => isSession).length;
      return { sessions, generations: generations.length, bytes: freedBytes };
    },
    copyStart: ({ directory, direction }) =>
      copies.add(direction === "export" ? vault.exportTo(directory) : vault.importFrom(directory)),
    copyNext: ({ stream }) => copies.next(stream),
    settle: () => !vault.settle(SETTLED_BYTES).isDone,
  };
}

function limitsOf({ deletedMs, replacedMs, maxBytes }: Retention): PurgeLimits {
  return { deletedFor: deletedMs, replacedFor: replacedMs, ...(maxBytes === null ? {} : { maxBytes }) };
}
