import { pastablePath } from "@sm/core";
import type { SessionRecord } from "@sm/router/client";
import { useMemo } from "react";
import type { Service } from "../client/service.ts";
import { useService, useSessionStore } from "../client/service-context.tsx";
import { recordIn, type SessionStore } from "../client/sessions.ts";
import { copyText } from "../design/copy-text.ts";
import { toast, toastError } from "../design/toast.tsx";
import { t } from "../i18n/text.ts";
import { sessionTitle } from "../projects/session-title.ts";
import { deleteAtLast } from "./last-deletion.ts";
import { inBatches } from "./path-batches.ts";
import { hideSessions, showSessions } from "./pending-deletions.ts";
import { currentTagId } from "./revived-tags.ts";
import { offerUndo } from "./undo.ts";

/** What can be done with sessions. Nothing is waited for: what fails is undone and told, and the rest can be taken back. */
export interface SessionActions {
  rename(path: string, name: string): void;
  setFavorite(records: readonly SessionRecord[], isFavorite: boolean): void;
  setTag(records: readonly SessionRecord[], tagId: string, isAttached: boolean): void;
  /** Archives sessions, or takes them back. */
  setArchived(records: readonly SessionRecord[], isArchived: boolean): void;
  /** Moves them to the trash after some seconds, in which that can be undone. */
  remove(records: readonly SessionRecord[], options?: { force: boolean }): void;
  copyResumeCommand(record: SessionRecord): void;
  copyPath(record: SessionRecord): void;
}

/** How long a deletion can be undone. */
const UNDO_MS = 7_000;

/** Whether an action for all of them takes them back from the archive. */
export function areArchived(records: readonly SessionRecord[]): boolean {
  return records.every(({ archived_at }) => archived_at !== null);
}

/** Whether all of them are the user's own: what others share on a hub is theirs to archive. */
export function areOwn(records: readonly SessionRecord[]): boolean {
  return records.every(({ owner }) => owner === null);
}

export function useSessionActions(): SessionActions {
  const service = useService();
  const store = useSessionStore();
  return useMemo(() => makeSessionActions(service, store), [service, store]);
}

function makeSessionActions(service: Service, store: SessionStore): SessionActions {
  /** Shows a change immediately, and reverts it if the service rejects it. Resolves with whether it did not. */
  async function change(show: () => () => void, failed: string, run: () => Promise<unknown>): Promise<boolean> {
    const undo = show();
    try {
      await run();
      return true;
    } catch (error) {
      undo();
      toastError(failed, error);
      return false;
    }
  }

  const patch = (records: readonly SessionRecord[], to: (record: SessionRecord) => SessionRecord) => () =>
    store.patch(pathsOf(records), to);

  /** As they are by now. */
  const current = (records: readonly SessionRecord[]) =>
    records.flatMap(({ path }) => recordIn(store.get(), path) ?? []);

  function rename({ path }: SessionRecord, name: string, title: (record: SessionRecord) => string): Promise<boolean> {
    const record = recordIn(store.get(), path);
    const named = (one: SessionRecord) => ({ ...one, name: name.trim() || null, title: title(one) });
    return change(patch(record === undefined ? [] : [record], named), t("list.rename_failed"), () =>
      service.call("rename_session", { path, name }),
    );
  }

  function setFavorite(changed: readonly SessionRecord[], isFavorite: boolean): Promise<boolean> {
    const marked = (record: SessionRecord) => ({ ...record, is_favorite: isFavorite });
    return change(patch(changed, marked), t("list.favorite_failed"), () =>
      Promise.all(changed.map(({ path }) => service.call("toggle_favorite", { path }))),
    );
  }

  function setTag(changed: readonly SessionRecord[], given: string, isAttached: boolean): Promise<boolean> {
    const tagId = currentTagId(given);
    const tagged = (record: SessionRecord) => {
      const others = record.tag_ids.filter((id) => id !== tagId);
      return { ...record, tag_ids: isAttached ? [...others, tagId] : others };
    };
    return change(patch(changed, tagged), t("list.tag_failed"), async () => {
      for (const paths of inBatches(pathsOf(changed))) {
        await service.call(isAttached ? "assign_tag" : "remove_tag", { session_paths: paths, tag_id: tagId });
      }
    });
  }

  function setArchived(changed: readonly SessionRecord[], isArchived: boolean): Promise<boolean> {
    const archived_at = isArchived ? new Date().toISOString() : null;
    const show = (records: readonly SessionRecord[]) => store.apply({ added: [], updated: records, removed: [] });
    const put = () => {
      show(changed.map((record) => ({ ...record, archived_at })));
      return () => show(changed);
    };
    return change(put, t("list.archive_failed", { count: changed.length }), async () => {
      for (const paths of inBatches(pathsOf(changed))) {
        const { failed } = await service.call(isArchived ? "archive_session" : "unarchive_session", { paths });
        const [first] = failed;
        if (first !== undefined) throw new Error(first.error.message);
      }
    });
  }

  return {
    async rename(path, name) {
      const record = recordIn(store.get(), path);
      if (record === undefined || name.trim() === (record.name ?? "")) return;
      if (!(await rename(record, name, (one) => name.trim() || one.title))) return;
      const undo = () => void rename(record, record.name ?? "", () => record.title);
      offerUndo({ text: t("list.renamed"), undo });
    },

    async setFavorite(records, isFavorite) {
      const changed = records.filter((record) => record.is_favorite !== isFavorite);
      if (!(await setFavorite(changed, isFavorite))) return;
      // The star shows it.
      const text = t(isFavorite ? "list.favorites_added" : "list.favorites_removed", { count: changed.length });
      const undo = () => {
        const marked = current(changed).filter((record) => record.is_favorite === isFavorite);
        void setFavorite(marked, !isFavorite);
      };
      if (changed.length > 0) offerUndo({ ...(changed.length > 1 && { text }), undo });
    },

    async setTag(records, tagId, isAttached) {
      const changed = records.filter(({ tag_ids }) => tag_ids.includes(tagId) !== isAttached);
      if (changed.length === 0 || !(await setTag(changed, tagId, isAttached))) return;
      const text = t(isAttached ? "list.tag_added" : "list.tag_removed", { count: changed.length });
      offerUndo({ text, undo: () => void setTag(current(changed), tagId, !isAttached) });
    },

    async setArchived(records, isArchived) {
      const changed = records.filter(({ archived_at }) => (archived_at !== null) !== isArchived);
      const [first] = changed;
      if (first === undefined || !(await setArchived(changed, isArchived))) return;
      const values = { count: changed.length, title: shorten(sessionTitle(first)) };
      const undo = () => void setArchived(current(changed), !isArchived);
      offerUndo({ text: t(isArchived ? "list.archived" : "list.unarchived", values), undo });
    },

    remove(records, { force } = { force: false }) {
      const [first] = records;
      if (first === undefined) return;
      const paths = pathsOf(records);
      const text = t("list.deleting", { count: records.length, title: shorten(sessionTitle(first)) });
      let isUndone = false;
      hideSessions(paths);
      const run = (told?: string) =>
        void deleteNow(service, store, records, { force, told }).finally(() => showSessions(paths));
      const last = deleteAtLast(service, paths, force);
      if (last === null) return run(text);
      const forget = offerUndo({
        text,
        lastsMs: UNDO_MS,
        undo() {
          isUndone = true;
        },
        onGone() {
          forget();
          last.forget();
          if (!isUndone && !last.isSent) return run();
          showSessions(paths);
          if (isUndone && last.isSent) void undelete(service, paths);
        },
      });
    },

    copyResumeCommand({ capabilities }) {
      if (capabilities.resume_command !== null) void copyText(capabilities.resume_command);
    },

    copyPath: ({ path }) => void copyText(pastablePath(path)),
  };
}

/** @param told what is said with the offer to take it back; the offer is not shown without. */
async function deleteNow(
  service: Service,
  store: SessionStore,
  records: readonly SessionRecord[],
  { force, told }: { force: boolean; told: string | undefined },
): Promise<void> {
  /** Deleted sessions must not reappear before the event of their removal. */
  const drop = (removed: readonly string[]) => store.apply({ added: [], updated: [], removed });
  const left: string[] = [];
  const gone: string[] = [];
  try {
    if (force) {
      for (const { path } of records) {
        const { left_behind } = await service.call("delete_session", { path, force });
        drop([path]);
        gone.push(path);
        left.push(...left_behind);
      }
      return;
    }
    for (const paths of inBatches(pathsOf(records))) {
      const { deleted, failed } = await service.call("delete_sessions", { paths });
      drop(deleted.map(({ path }) => path));
      gone.push(...deleted.map(({ path }) => path));
      left.push(...deleted.flatMap(({ left_behind }) => left_behind));
      const [first] = failed;
      if (first === undefined) continue;
      toast({
        text: `${t("list.delete_failed", { count: failed.length })} ${first.error.message}`,
        tone: "danger",
        lastsMs: 10_000,
      });
    }
  } catch (error) {
    toastError(t("list.delete_failed", { count: records.length }), error);
  } finally {
    // Where the toast has been there, whoever notices later has the key.
    const shown = told === undefined ? {} : { text: told, lastsMs: UNDO_MS };
    if (gone.length > 0) offerUndo({ ...shown, undo: () => void undelete(service, gone) });
    const [first] = left;
    if (first !== undefined) {
      toast({ text: t("list.left_behind", { count: left.length, path: first }), tone: "danger", lastsMs: 20_000 });
    }
  }
}

/** Brings back what the trash or the vault still has; the service tells of each that is there again. */
async function undelete(service: Service, paths: readonly string[]): Promise<void> {
  try {
    for (const path of paths) await service.call("undelete_session", { path });
  } catch (error) {
    toastError(t("list.undelete_failed"), error);
  }
}

function pathsOf(records: readonly SessionRecord[]): string[] {
  return records.map(({ path }) => path);
}

function shorten(title: string): string {
  return title.length > 40 ? `${title.slice(0, 40)}…` : title;
}
