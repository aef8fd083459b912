import { useCommand } from "../../client/commands.ts";
import { useService } from "../../client/service-context.tsx";
import type { Tag } from "../../client/tags.ts";
import { Dialog } from "../../design/dialog.tsx";
import { t } from "../../i18n/text.ts";
import { TagForm } from "../../sessions/tag-form.tsx";
import { offerTagBack } from "./tag-actions.ts";

/** Gives a tag another name or colour. */
export function EditTagDialog({ tag, onClose }: { tag: Tag; onClose(): void }) {
  const service = useService();
  const update = useCommand("update_tag", {
    onSuccess({ name }) {
      offerTagBack(service, tag, t("tags.changed", { name }));
      onClose();
    },
  });
  return (
    <Dialog open onOpenChange={(isOpen) => isOpen || onClose()} title={t("tags.edit_title")} size="sm">
      <TagForm
        tag={tag}
        command={update}
        action={t("tags.save")}
        onSave={(shape) => {
          if (shape.name.trim() === tag.name && shape.color === tag.color) onClose();
          else update.mutate({ id: tag.id, ...shape });
        }}
      />
    </Dialog>
  );
}
