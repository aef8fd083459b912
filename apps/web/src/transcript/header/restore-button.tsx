import { FileUp } from "lucide-react";
import { useCommand } from "../../client/commands.ts";
import { IconButton } from "../../design/button.tsx";
import { toast, toastError } from "../../design/toast.tsx";
import { t } from "../../i18n/text.ts";

/** Writes the file of a session again that only the vault has. The list learns of it by an event. */
export function RestoreButton({ path }: { path: string }) {
  const restore = useCommand("restore_session", {
    onSuccess: () => toast({ text: t("list.file_restored") }),
    onError: (error) => toastError(t("list.restore_file_failed"), error),
  });
  return (
    <IconButton
      icon={FileUp}
      label={t("list.restore_file")}
      disabled={restore.isPending}
      onClick={() => restore.mutate({ path })}
    />
  );
}
