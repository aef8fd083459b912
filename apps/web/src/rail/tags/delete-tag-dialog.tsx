import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { useCommand } from "../../client/commands.ts";
import { useService } from "../../client/service-context.tsx";
import { type Tag, useTags } from "../../client/tags.ts";
import { ConfirmDialog } from "../../design/confirm-dialog.tsx";
import { t } from "../../i18n/text.ts";
import { useChangeListSearch, useListSearch } from "../../list/use-list-search.ts";
import { offerDeletedBack, sessionsWithTag } from "./tag-actions.ts";

/** Says what goes with a tag before it does. */
export function DeleteTagDialog({ tag, onClose }: { tag: Tag; onClose(): void }) {
  const service = useService();
  const children = useTags().children(tag.id);
  const search = useListSearch();
  const changeSearch = useChangeListSearch();
  const giveFocusOn = useFocusBeside();
  const { data: sessions, error } = useQuery({
    queryKey: ["sessions with tag", tag.id],
    queryFn: () => sessionsWithTag(service, tag.id),
    // As they are now: they are what an undo gives the tag back to.
    gcTime: 0,
  });
  const remove = useCommand("delete_tag", {
    onSuccess() {
      giveFocusOn();
      offerDeletedBack(service, { tag, children, sessions: sessions ?? [] });
      const others = search.tag?.filter((id) => id !== tag.id) ?? [];
      if (search.tag?.includes(tag.id)) {
        changeSearch({ tag: others.length === 0 ? undefined : others }, { replace: true });
      }
      onClose();
    },
  });
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={t("tags.delete_title", { name: tag.name })}
      action={t("tags.delete")}
      isDangerous
      isPending={sessions === undefined || remove.isPending}
      error={error ?? remove.error}
      onConfirm={() => remove.mutate({ id: tag.id })}
    >
      {sessions !== undefined && <p>{t("tags.delete_sessions", { count: sessions.length })}</p>}
      {children.length > 0 && <p className="pt-1">{t("tags.delete_children", { count: children.length })}</p>}
    </ConfirmDialog>
  );
}

/**
 * Where the next key belongs when the row goes that had the focus as this opened: to the row beside it. Gives what is
 * called when the row is about to go; it may be gone before, since events overtake answers.
 */
function useFocusBeside(): () => void {
  const isGoing = useRef(false);
  useEffect(() => {
    const row = document.activeElement?.closest("[data-tag]");
    const beside = [row?.nextElementSibling, row?.previousElementSibling].find((one) => one?.hasAttribute("data-tag"));
    return () => {
      // Before the dialog gives the focus back, and after it has let it go.
      setTimeout(() => {
        if (isGoing.current || row?.isConnected === false) beside?.querySelector("a")?.focus();
      });
    };
  }, []);
  return () => {
    isGoing.current = true;
  };
}
