import type { SessionRecord } from "@sm/router/client";
import { Ellipsis } from "lucide-react";
import { useState } from "react";
import { IconButton } from "../../design/button.tsx";
import { Menu } from "../../design/menu.tsx";
import { t } from "../../i18n/text.ts";
import { DeleteDialog } from "../../sessions/delete-dialog.tsx";
import { NewTagDialog } from "../../sessions/new-tag-dialog.tsx";
import { useSessionActions } from "../../sessions/session-actions.ts";
import { SessionMenu } from "../../sessions/session-menu.tsx";

interface OpenSessionMenuProps {
  record: SessionRecord;
  onRename(): void;
  /** The session is on its way to the trash. */
  onDeleted(): void;
}

/** What can be done with the session that is open: the same as in the list. */
export function OpenSessionMenu({ record, onRename, onDeleted }: OpenSessionMenuProps) {
  const actions = useSessionActions();
  const [dialog, setDialog] = useState<"tag" | "delete" | null>(null);
  const remove = (force: boolean) => {
    actions.remove([record], { force });
    onDeleted();
  };
  return (
    <>
      <Menu align="end" trigger={<IconButton icon={Ellipsis} label={t("transcript.session_menu")} />}>
        <SessionMenu
          records={[record]}
          actions={actions}
          onRename={onRename}
          onNewTag={() => setDialog("tag")}
          // What an agent is at work on is not deleted by accident.
          onDelete={() => (record.is_live ? setDialog("delete") : remove(false))}
        />
      </Menu>
      <NewTagDialog open={dialog === "tag"} onClose={() => setDialog(null)} records={[record]} actions={actions} />
      <DeleteDialog open={dialog === "delete"} onClose={() => setDialog(null)} onDelete={() => remove(true)} />
    </>
  );
}
