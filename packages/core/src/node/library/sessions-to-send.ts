import type { OpenIndex } from "../indexing/open-index.ts";
import type { SaidOfSession } from "../sending/sending-tasks.ts";
import type { SessionsToSend } from "../sending/session-outbox.ts";
import type { StoredTag, UserState } from "../state/ports.ts";
import { filesInParts } from "./files-in-parts.ts";

export interface SessionsToSendOptions {
  index: () => Pick<OpenIndex, "list">;
  state: () => Pick<UserState, "marks" | "tags" | "notes" | "bookmarks">;
}

/** What an outbox asks of the library. */
export function sessionsToSend({ index, state }: SessionsToSendOptions): SessionsToSend {
  return {
    some: (paths) => index().list((listing) => listing.filesAndKept.some(paths)),
    all: (most) => filesInParts((after) => index().list((listing) => listing.filesAndKept.after(after, most))),
    said: (sessions) => said(state(), sessions),
    marked: async () => (await state().marks.marked()).map(({ path }) => path),
  };
}

async function said(
  { marks, tags, notes, bookmarks }: ReturnType<SessionsToSendOptions["state"]>,
  sessions: readonly { path: string; id: string }[],
): Promise<SaidOfSession[]> {
  const [marked, names, tree] = await Promise.all([marks.marks(sessions), marks.names(), tags.list()]);
  const tagById = new Map(tree.map((tag) => [tag.id, tag]));
  const all: SaidOfSession[] = [];
  for (const { path, id } of sessions) {
    const of: SaidOfSession = { path, sessionId: id, said: [] };
    const say = (kind: SaidOfSession["said"][number]["kind"], key: string, value: string) =>
      of.said.push({ kind, key, value });
    const name = names.get(path);
    if (name !== undefined) say("name", "", name);
    const known = marked.get(path);
    if (known !== undefined) {
      if (known.is_favorite) say("favorite", "", "true");
      if (known.archived_at !== null) say("archived", "", known.archived_at);
      for (const tagId of known.tag_ids) {
        const tag = tagById.get(tagId);
        if (tag === undefined) continue;
        const way = wayTo(tag, tagById);
        say("tag", JSON.stringify(way.map(({ name }) => name)), JSON.stringify(way.map(({ color }) => color)));
      }
      if (known.note_count > 0) {
        for await (const page of notes.pages(path))
          for (const note of page) say("note", note.entry_id ?? "", note.text);
      }
      for (const { entryId, createdAt } of await bookmarks.list(path)) say("bookmark", entryId, createdAt);
    }
    all.push(of);
  }
  return all;
}

/** From the root on. */
function wayTo(tag: StoredTag, all: ReadonlyMap<string, StoredTag>): StoredTag[] {
  const parent = tag.parent_id === null ? undefined : all.get(tag.parent_id);
  return parent === undefined ? [tag] : [...wayTo(parent, all), tag];
}
