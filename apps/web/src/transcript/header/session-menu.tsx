import type { SessionRecord } from "@sm/router/client";
import { Ellipsis } from "lucide-react";
import { useState } from "react";
import { IconButton } from "../../design/button.tsx";
import { Menu } from "../../design/menu.tsx";
import { t } from "../../i18n/text.ts";
import { DeleteHost } from "../../sessions/delete-host.tsx";
import { NewTagDialog } from "../../sessions/new-tag-dialog.tsx";
import { useSessionActions } from "../../sessions/session-actions.ts";
import { SessionMenu } from "../../sessions/session-menu.tsx";
import { useDeletion } from "../../sessions/use-deletion.ts";

interface OpenSessionMenuProps {
  record: SessionRecord;
  onRename(): void;
  onNote(): void;
  /** The session is on its way to the trash. */
  onDeleted(): void;
}

/** What can be done with the session that is open: the same as in the list. */
export function OpenSessionMenu({ record, onRename, onNote, onDeleted }: OpenSessionMenuProps) {
  const actions = useSessionActions();
  const [isTagging, setTagging] = useState(false);
  const deletion = useDeletion(actions, onDeleted);
  return (
    <>
      <Menu align="end" trigger={<IconButton icon={Ellipsis} label={t("transcript.session_menu")} />}>
        <SessionMenu
          records={[record]}
          actions={actions}
          onRename={onRename}
          onNote={onNote}
          onNewTag={() => setTagging(true)}
          onDelete={deletion.remove}
        />
      </Menu>
      {isTagging && <NewTagDialog onClose={() => setTagging(false)} records={[record]} actions={actions} />}
      <DeleteHost deletion={deletion} />
    </>
  );
}
