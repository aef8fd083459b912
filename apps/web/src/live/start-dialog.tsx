import { type FormEvent, type KeyboardEvent, useId, useState } from "react";
import { MAX_PROMPT_LENGTH } from "../agents/prompt-drafts.ts";
import { useStarter } from "../agents/use-starter.ts";
import { Button } from "../design/button.tsx";
import { Dialog } from "../design/dialog.tsx";
import { errorText } from "../design/error-state.tsx";
import { Field, Input, TextArea } from "../design/input.tsx";
import { t } from "../i18n/text.ts";
import { FolderField } from "../projects/folder-field.tsx";
import { useRecentProjects } from "../projects/recent-projects.ts";
import { useRecentModels } from "./recent-models.ts";

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
  const [prompt, setPrompt] = useState("");
  const models = useRecentModels();
  const [error, setError] = useState<string | null>(null);
  const { isStarting, start } = useStarter();
  const formId = useId();
  const modelsId = useId();

  function onSubmit(event: FormEvent) {
    event.preventDefault();
    // The key starts another one, which the button does not while it is disabled.
    if (isStarting || folder.trim() === "") return;
    setError(null);
    const optional = {
      ...(name.trim() === "" ? {} : { name: name.trim() }),
      ...(model.trim() === "" ? {} : { model: model.trim() }),
    };
    start({ cwd: folder.trim(), ...optional }, prompt).catch((reason) => setError(errorText(reason)));
  }

  // As where prompts are typed later.
  function onPromptKey(event: KeyboardEvent<HTMLTextAreaElement>) {
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    if (matchMedia("(pointer: coarse)").matches && !event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    event.currentTarget.form?.requestSubmit();
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
        <Field label={t("live.first_prompt")} hint={t("live.first_prompt_hint")}>
          {(attributes) => (
            <TextArea
              {...attributes}
              rows={3}
              maxLength={MAX_PROMPT_LENGTH}
              value={prompt}
              onChange={({ target }) => setPrompt(target.value)}
              onKeyDown={onPromptKey}
            />
          )}
        </Field>
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
                list={modelsId}
                value={model}
                onChange={({ target }) => setModel(target.value)}
              />
            )}
          </Field>
          <datalist id={modelsId}>
            {models.map((one) => (
              <option key={one} value={one} />
            ))}
          </datalist>
        </div>
      </form>
    </Dialog>
  );
}
