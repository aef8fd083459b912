import type { SessionRecord } from "@sm/router/client";
import { Ellipsis, Pencil } from "lucide-react";
import { type ReactNode, useState } from "react";
import { IconButton } from "../../design/button.tsx";
import { Menu, MenuItem, MenuSeparator } from "../../design/menu.tsx";
import { t } from "../../i18n/text.ts";
import { DeleteHost } from "../../sessions/delete-host.tsx";
import { NewTagDialog } from "../../sessions/new-tag-dialog.tsx";
import { useSessionActions } from "../../sessions/session-actions.ts";
import { SessionMenu } from "../../sessions/session-menu.tsx";
import { useDeletion } from "../../sessions/use-deletion.ts";

interface OpenSessionMenuProps {
  /** `null` while the session is in no file. */
  record: SessionRecord | null;
  /** What can be done with its agent; `null` where none runs. */
  ofAgent: ReactNode;
  onRename(): void;
  onNote(): void;
  /** The session is on its way to the trash. */
  onDeleted(): void;
}

/** What can be done with the session that is open: the same as in the list. */
export function OpenSessionMenu({ record, ofAgent, onRename, onNote, onDeleted }: OpenSessionMenuProps) {
  const actions = useSessionActions();
  const [isTagging, setTagging] = useState(false);
  const deletion = useDeletion(actions, onDeleted);
  return (
    <>
      <Menu align="end" trigger={<IconButton icon={Ellipsis} label={t("transcript.session_menu")} />}>
        {record === null ? (
          <MenuItem icon={Pencil} onSelect={onRename}>
            {t("list.rename")}
          </MenuItem>
        ) : (
          <SessionMenu
            records={[record]}
            actions={actions}
            onRename={onRename}
            onNote={onNote}
            onNewTag={() => setTagging(true)}
            onDelete={deletion.remove}
          />
        )}
        {ofAgent !== null && (
          <>
            <MenuSeparator />
            {ofAgent}
          </>
        )}
      </Menu>
      {isTagging && record !== null && (
        <NewTagDialog onClose={() => setTagging(false)} records={[record]} actions={actions} />
      )}
      <DeleteHost deletion={deletion} />
    </>
  );
}
