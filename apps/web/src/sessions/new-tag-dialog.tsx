import type { SessionRecord } from "@sm/router/client";
import { useCommand } from "../client/commands.ts";
import { Dialog } from "../design/dialog.tsx";
import { t } from "../i18n/text.ts";
import type { SessionActions } from "./session-actions.ts";
import { TagForm, USUAL_COLOR } from "./tag-form.tsx";

export interface NewTagDialogProps {
  onClose(): void;
  /** Sessions that get the tag. */
  records: readonly SessionRecord[];
  actions: SessionActions;
}

/** Makes a tag and attaches it. */
export function NewTagDialog({ onClose, records, actions }: NewTagDialogProps) {
  const create = useCommand("create_tag", {
    onSuccess(tag) {
      actions.setTag(records, tag.id, true);
      onClose();
    },
  });
  return (
    <Dialog open onOpenChange={(isOpen) => isOpen || onClose()} title={t("list.new_tag")} size="sm">
      <TagForm
        tag={{ name: "", color: USUAL_COLOR }}
        command={create}
        action={t("list.new_tag")}
        onSave={(tag) => create.mutate(tag)}
      />
    </Dialog>
  );
}
