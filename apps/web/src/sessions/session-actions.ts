import { pastablePath } from "@sm/core";
import type { SessionRecord } from "@sm/router/client";
import { useMemo } from "react";
import type { Service } from "../client/service.ts";
import { useService, useSessionStore } from "../client/service-context.tsx";
import type { SessionStore } from "../client/sessions.ts";
import { copyText } from "../design/copy-text.ts";
import { toast, toastError } from "../design/toast.tsx";
import { t } from "../i18n/text.ts";
import { hideSessions, showSessions } from "./pending-deletions.ts";

/** What can be done with sessions. Nothing is waited for: what fails is undone and told. */
export interface SessionActions {
  rename(path: string, name: string): void;
  setFavorite(records: readonly SessionRecord[], isFavorite: boolean): void;
  setTag(records: readonly SessionRecord[], tagId: string, isAttached: boolean): void;
  /** Moves them to the trash after some seconds, in which that can be undone. */
  remove(records: readonly SessionRecord[], options?: { force: boolean }): void;
  copyResumeCommand(record: SessionRecord): void;
  copyPath(record: SessionRecord): void;
}

/** How long a deletion can be undone. */
const UNDO_MS = 7_000;

/** Commands take this many paths. */
const MAX_PATHS = 1_000;

export function useSessionActions(): SessionActions {
  const service = useService();
  const store = useSessionStore();
  return useMemo(() => makeSessionActions(service, store), [service, store]);
}

function makeSessionActions(service: Service, store: SessionStore): SessionActions {
  /** Shows a change immediately, and reverts it if the service rejects it. */
  async function change(
    records: readonly SessionRecord[],
    to: (record: SessionRecord) => SessionRecord,
    failed: string,
    run: () => Promise<unknown>,
  ): Promise<void> {
    const undo = store.patch(
      records.map(({ path }) => path),
      to,
    );
    try {
      await run();
    } catch (error) {
      undo();
      toastError(failed, error);
    }
  }

  return {
    rename(path, name) {
      const record = store.get().records.get(path);
      if (record === undefined || name.trim() === (record.name ?? "")) return;
      const named = (one: SessionRecord) => ({ ...one, name: name.trim() || null, title: name.trim() || one.title });
      void change([record], named, t("list.rename_failed"), () => service.call("rename_session", { path, name }));
    },

    setFavorite(records, isFavorite) {
      const changed = records.filter((record) => record.is_favorite !== isFavorite);
      const marked = (record: SessionRecord) => ({ ...record, is_favorite: isFavorite });
      void change(changed, marked, t("list.favorite_failed"), () =>
        Promise.all(changed.map(({ path }) => service.call("toggle_favorite", { path }))),
      );
    },

    setTag(records, tagId, isAttached) {
      const changed = records.filter(({ tag_ids }) => tag_ids.includes(tagId) !== isAttached);
      const tagged = (record: SessionRecord) => {
        const others = record.tag_ids.filter((id) => id !== tagId);
        return { ...record, tag_ids: isAttached ? [...others, tagId] : others };
      };
      void change(changed, tagged, t("list.tag_failed"), async () => {
        for (const paths of inBatches(changed)) {
          await service.call(isAttached ? "assign_tag" : "remove_tag", { session_paths: paths, tag_id: tagId });
        }
      });
    },

    remove(records, { force } = { force: false }) {
      const [first] = records;
      if (first === undefined) return;
      const paths = records.map(({ path }) => path);
      let isUndone = false;
      hideSessions(paths);
      toast({
        text: t("list.deleting", { count: records.length, title: shorten(first.title) }),
        lastsMs: UNDO_MS,
        action: {
          text: t("frame.undo"),
          run() {
            isUndone = true;
          },
        },
        onGone() {
          if (isUndone) showSessions(paths);
          else void deleteNow(service, store, records, force).finally(() => showSessions(paths));
        },
      });
    },

    copyResumeCommand({ capabilities }) {
      if (capabilities.resume_command !== null) void copyText(capabilities.resume_command);
    },

    copyPath: ({ path }) => void copyText(pastablePath(path)),
  };
}

async function deleteNow(
  service: Service,
  store: SessionStore,
  records: readonly SessionRecord[],
  force: boolean,
): Promise<void> {
  /** Deleted sessions must not reappear before the event of their removal. */
  const drop = (removed: readonly string[]) => store.apply({ added: [], updated: [], removed });
  try {
    if (force) {
      for (const { path } of records) {
        await service.call("delete_session", { path, force });
        drop([path]);
      }
      return;
    }
    for (const paths of inBatches(records)) {
      const { deleted, failed } = await service.call("delete_sessions", { paths });
      drop(deleted.map(({ path }) => path));
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
  }
}

function inBatches(records: readonly SessionRecord[]): string[][] {
  const paths = records.map(({ path }) => path);
  return Array.from({ length: Math.ceil(paths.length / MAX_PATHS) }, (_, index) =>
    paths.slice(index * MAX_PATHS, (index + 1) * MAX_PATHS),
  );
}

function shorten(title: string): string {
  return title.length > 40 ? `${title.slice(0, 40)}…` : title;
}
