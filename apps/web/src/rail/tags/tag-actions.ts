import { CommandError } from "@sm/router/client";
import type { Service } from "../../client/service.ts";
import type { Tag } from "../../client/tags.ts";
import { toastError } from "../../design/toast.tsx";
import { t } from "../../i18n/text.ts";
import { inBatches } from "../../sessions/path-batches.ts";
import { currentTagId, reviveTag } from "../../sessions/revived-tags.ts";
import { offerUndo } from "../../sessions/undo.ts";

type Shape = Pick<Tag, "name" | "color" | "parent_id">;

/** Puts a tag below another one, or, with `null`, on the top level. What fails is told. */
export async function moveTag(service: Service, tag: Tag, parentId: string | null): Promise<void> {
  try {
    await service.call("update_tag", { id: tag.id, parent_id: parentId });
  } catch (error) {
    toastError(t("tags.change_failed"), error);
    return;
  }
  offerTagBack(service, tag, t("tags.moved", { name: tag.name }));
}

/**
 * Offers to make a tag again what it was before a change.
 *
 * @param tag as it was.
 * @param text what was done.
 */
export function offerTagBack(service: Service, { id, name, color, parent_id }: Tag, text: string): void {
  offerUndo({ text, undo: () => void takingBack(() => put(service, id, { name, color, parent_id })) });
}

/** Paths of all sessions with a tag itself, archived ones and subagents among them. */
export async function sessionsWithTag(service: Service, id: string): Promise<string[]> {
  const paths: string[] = [];
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof ask>> = await ask(service, id, cursor);
    // Those of tags below it come along.
    paths.push(...page.sessions.filter(({ tag_ids }) => tag_ids.includes(id)).map(({ path }) => path));
    cursor = page.next_cursor;
  } while (cursor !== null);
  return paths;
}

function ask(service: Service, id: string, cursor: string | null) {
  return service.call("list_sessions", {
    tag_ids: [id],
    archived: "include",
    subagents: "all",
    limit: 500,
    ...(cursor !== null && { cursor }),
  });
}

/** What goes with a tag, and comes back with it. */
export interface Deleted {
  tag: Tag;
  /** The tags right below it, as they are before: they move up, and get other names where theirs are taken there. */
  children: readonly Tag[];
  /** Paths of its sessions. */
  sessions: readonly string[];
}

/** Offers to make a tag again that was deleted: the same but for its id, with its sessions and with the tags below it. */
export function offerDeletedBack(service: Service, deleted: Deleted): void {
  const text = t("tags.deleted", { name: deleted.tag.name });
  offerUndo({ text, lastsMs: 10_000, undo: () => void takingBack(() => revive(service, deleted)) });
}

async function revive(service: Service, { tag, children, sessions }: Deleted): Promise<void> {
  const { name, color, parent_id } = tag;
  const parent = parent_id === null ? null : currentTagId(parent_id);
  const { id } = await service.call("create_tag", { name, color, parent_id: parent });
  reviveTag(tag.id, id);
  await changeTagOf(service, "assign_tag", sessions, id);
  for (const child of children) {
    await unlessGone(() => put(service, child.id, { name: child.name, color: child.color, parent_id: tag.id }));
  }
}

/** What goes into another tag, and comes out of it again. */
export interface Merged extends Deleted {
  into: Tag;
}

/**
 * Has the sessions of a tag and the tags below it go over to another one, and deletes it. What fails is told; until the
 * end nothing is lost.
 *
 * @returns whether it was merged.
 */
export async function mergeTag(service: Service, { tag, into, children }: Omit<Merged, "sessions">): Promise<boolean> {
  try {
    const sessions = await sessionsWithTag(service, tag.id);
    const had = new Set(await sessionsWithTag(service, into.id));
    const added = sessions.filter((path) => !had.has(path));
    await changeTagOf(service, "assign_tag", added, into.id);
    for (const { id } of children) {
      await unlessGone(() => service.call("update_tag", { id, parent_id: into.id }));
    }
    await service.call("delete_tag", { id: tag.id });
    offerMergedBack(service, { tag, into, children, sessions }, added);
    return true;
  } catch (error) {
    toastError(t("tags.merge_failed"), error);
    return false;
  }
}

function offerMergedBack(service: Service, merged: Merged, added: readonly string[]): void {
  const { tag, into } = merged;
  const undo = async () => {
    await revive(service, merged);
    await changeTagOf(service, "remove_tag", added, currentTagId(into.id));
  };
  const text = t("tags.merged", { name: tag.name, into: into.name });
  offerUndo({ text, lastsMs: 10_000, undo: () => void takingBack(undo) });
}

/** Gives sessions a tag, or takes it from them. One that is gone by now keeps the others from nothing. */
async function changeTagOf(
  service: Service,
  command: "assign_tag" | "remove_tag",
  sessions: readonly string[],
  id: string,
): Promise<void> {
  for (const paths of inBatches(sessions)) {
    await unlessGone(
      () => service.call(command, { session_paths: paths, tag_id: id }),
      async () => {
        for (const path of paths) await unlessGone(() => service.call(command, { session_path: path, tag_id: id }));
      },
    );
  }
}

function put(service: Service, id: string, { parent_id, ...shape }: Shape): Promise<unknown> {
  const parent = parent_id === null ? null : currentTagId(parent_id);
  return service.call("update_tag", { id: currentTagId(id), ...shape, parent_id: parent });
}

async function unlessGone(run: () => Promise<unknown>, otherwise?: () => Promise<unknown>): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (!(error instanceof CommandError && error.code === "NOT_FOUND")) throw error;
    await otherwise?.();
  }
}

async function takingBack(run: () => Promise<unknown>): Promise<void> {
  try {
    await run();
  } catch (error) {
    toastError(t("tags.undo_failed"), error);
  }
}
