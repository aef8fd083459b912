import { type FormEvent, useId, useState } from "react";
import { useStarter } from "../agents/use-starter.ts";
import { Button } from "../design/button.tsx";
import { Dialog } from "../design/dialog.tsx";
import { errorText } from "../design/error-state.tsx";
import { Field, Input } from "../design/input.tsx";
import { t } from "../i18n/text.ts";
import { FolderField } from "../projects/folder-field.tsx";
import { useRecentProjects } from "../projects/recent-projects.ts";

interface StartDialogProps {
  /** The folder that it proposes. */
  cwd: string | undefined;
  onClose(): void;
}

/** Asks where an agent is to work, and starts it. */
export function StartDialog({ cwd, onClose }: StartDialogProps) {
  const [newest = ""] = useRecentProjects();
  const [chosen, setChosen] = useState<string | null>(cwd ?? null);
  const folder = chosen ?? newest;
  const [name, setName] = useState("");
  const [model, setModel] = useState("");
  const [error, setError] = useState<string | null>(null);
  const { isStarting, start } = useStarter();
  const formId = useId();

  function onSubmit(event: FormEvent) {
    event.preventDefault();
    setError(null);
    const optional = {
      ...(name.trim() === "" ? {} : { name: name.trim() }),
      ...(model.trim() === "" ? {} : { model: model.trim() }),
    };
    start({ cwd: folder.trim(), ...optional }).catch((reason) => setError(errorText(reason)));
  }

  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title={t("live.new")}
      description={t("live.new_text")}
      footer={
        <>
          <Button onClick={onClose}>{t("frame.cancel")}</Button>
          <Button type="submit" form={formId} variant="primary" disabled={isStarting || folder.trim() === ""}>
            {isStarting ? t("live.starting") : t("live.start")}
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={onSubmit} className="flex flex-col gap-4">
        <FolderField value={folder} onChange={setChosen} error={error} />
        <div className="grid grid-cols-2 gap-4 phone:grid-cols-1">
          <Field label={t("live.name_optional")}>
            {(attributes) => (
              <Input {...attributes} maxLength={200} value={name} onChange={({ target }) => setName(target.value)} />
            )}
          </Field>
          <Field label={t("live.model_optional")}>
            {(attributes) => (
              <Input
                {...attributes}
                maxLength={256}
                placeholder="provider/model"
                value={model}
                onChange={({ target }) => setModel(target.value)}
              />
            )}
          </Field>
        </div>
      </form>
    </Dialog>
  );
}
