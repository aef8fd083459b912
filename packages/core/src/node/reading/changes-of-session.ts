import { mayChangeFiles } from "../../changes/session-changes.ts";
import type { ChangesOptions, SessionChanges } from "../../changes.ts";
import { leafOf, transcriptItem } from "../../session/transcript-layout.ts";
import { branchTo } from "../../session/tree.ts";
import { withSessionFile } from "../session-file/session-file.ts";
import type { CurrentTask } from "../threads/unwanted.ts";
import type { KeptChanges } from "./kept-changes.ts";
import { endOf, isCut, lineOf, type OpenSession } from "./open-session.ts";

/**
 * Finds what a branch has changed in files. Only calls that may change files are parsed, and their results; none again of
 * a branch that has been looked through.
 */
export function changesOfSession(
  session: OpenSession,
  options: ChangesOptions,
  current: CurrentTask,
  known: KeptChanges,
): SessionChanges {
  const { outline } = session.fold;
  const leaf = leafOf(outline, options.leaf_id);
  const branch = branchTo(session.parents, leaf);
  const until = branch.reduce((farthest, ordinal) => Math.max(farthest, endOf(outline, ordinal)), 0);
  const fold = withSessionFile(options.path, (file) => {
    const { fold, entries } = known.take(session, branch, file);
    for (let at = entries; at < branch.length; at++) {
      const ordinal = branch[at] as number;
      current.check();
      const role = outline.role(ordinal);
      const isRead = role === "assistant" || (role === "tool" && fold.awaitsResult);
      if (!isRead) continue;
      // Of an entry of more than 8 MiB, the texts are not whole.
      const { offset, length } = outline.at(ordinal);
      if (isCut({ length })) fold.leaveOut();
      else if (role === "assistant" && !mayChangeFiles(file.rawLine(offset, length, until).slice(0, length)))
        fold.pass();
      else fold.add(transcriptItem(session, ordinal, lineOf(session, file, ordinal, until), null));
    }
    known.keep(fold, session, branch, file);
    return fold;
  });
  return fold.changes(leaf < 0 ? null : outline.id(leaf), options.files === undefined ? null : new Set(options.files));
}
