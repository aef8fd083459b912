import { CommandError } from "@sm/router/client";
import { Download, Upload } from "lucide-react";
import { useState } from "react";
import { useCommand } from "../../client/commands.ts";
import { Button } from "../../design/button.tsx";
import { ConfirmDialog } from "../../design/confirm-dialog.tsx";
import { errorText } from "../../design/error-state.tsx";
import { Field, Input } from "../../design/input.tsx";
import { toast } from "../../design/toast.tsx";
import { t } from "../../i18n/text.ts";
import { SettingsGroup } from "../section-parts.tsx";

/** Takes the model configuration from a file of the service's machine, or copies it to one. */
export function ModelFiles({ canExport }: { canExport: boolean }) {
  const [path, setPath] = useState("");
  const [isReplacing, setReplacing] = useState(false);
  const importing = useCommand("import_model_config_from_path", {
    onSuccess: () => toast({ text: t("settings.models_imported") }),
  });
  const exporting = useCommand("export_model_config_to_path", {
    onSuccess(done) {
      setReplacing(false);
      toast({ text: t("settings.models_exported", { path: done.path }) });
    },
    onError: (error) => setReplacing(error instanceof CommandError && error.code === "CONFLICT"),
  });
  const chosen = path.trim();
  const isBusy = importing.isPending || exporting.isPending;
  const error = importing.error ?? (isReplacing ? null : exporting.error);

  function reset(): void {
    importing.reset();
    exporting.reset();
    setReplacing(false);
  }

  return (
    <SettingsGroup title={t("settings.model_files")}>
      <div className="flex items-start gap-2 phone:flex-col phone:items-stretch">
        <div className="flex-1">
          <Field
            label={t("settings.model_file")}
            hint={t("settings.model_file_hint")}
            error={error === null ? null : errorText(error)}
          >
            {(attributes) => (
              <Input
                {...attributes}
                value={path}
                placeholder="/home/me/models.json"
                onChange={(event) => {
                  reset();
                  setPath(event.target.value);
                }}
              />
            )}
          </Field>
        </div>
        <div className="flex gap-2 desk:pt-6">
          <Button
            icon={Upload}
            disabled={isBusy || chosen === ""}
            onClick={() => {
              reset();
              importing.mutate({ path: chosen });
            }}
          >
            {t("settings.import")}
          </Button>
          <Button
            icon={Download}
            disabled={isBusy || chosen === "" || !canExport}
            onClick={() => {
              reset();
              exporting.mutate({ path: chosen });
            }}
          >
            {t("settings.export")}
          </Button>
        </div>
      </div>
      <ConfirmDialog
        open={isReplacing}
        onClose={reset}
        title={t("settings.model_file_exists")}
        action={t("settings.model_file_replace")}
        isDangerous
        isPending={exporting.isPending}
        error={null}
        onConfirm={() => exporting.mutate({ path: chosen, overwrite: true })}
      >
        {t("settings.model_file_exists_text", { path: chosen })}
      </ConfirmDialog>
    </SettingsGroup>
  );
}
