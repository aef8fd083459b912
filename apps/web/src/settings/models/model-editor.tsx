import { CommandError, type CommandInput } from "@sm/router/client";
import { useMemo, useState } from "react";
import { useCommand } from "../../client/commands.ts";
import { Button } from "../../design/button.tsx";
import { errorText } from "../../design/error-state.tsx";
import { toast } from "../../design/toast.tsx";
import { t } from "../../i18n/text.ts";
import { JsonEditor, type Problem } from "./json-editor.tsx";

const EMPTY = { providers: {} };

/** Edits the model configuration. What the agent would not take is shown where it stands, and not saved. */
export function ModelEditor({ config }: { config: Record<string, unknown> | null }) {
  const saved = formatted(config ?? EMPTY);
  const [base, setBase] = useState(saved);
  const [typed, setTyped] = useState(saved);
  /** Another one is another editor. */
  const [generation, setGeneration] = useState(0);
  const [mistake, setMistake] = useState<string | null>(null);
  const save = useCommand("save_model_config");
  const isDirty = typed !== base;
  // The file has changed; unsaved input is kept.
  const isOutdated = saved !== base;
  if (isOutdated && (!isDirty || parsed(typed).text === saved)) start(saved);

  function start(text: string): void {
    if (text !== typed) setGeneration(generation + 1);
    setBase(text);
    setTyped(text);
    setMistake(null);
  }

  function submit(): void {
    const { value, error } = parsed(typed);
    setMistake(error);
    if (error !== null) return;
    save.mutate(value as CommandInput<"save_model_config">, {
      onSuccess({ backup_name: backup }) {
        start(formatted(value));
        toast({ text: backup === null ? t("settings.models_saved") : t("settings.models_saved_backup", { backup }) });
      },
    });
  }

  const problems = useMemo(() => problemsIn(save.error), [save.error]);
  return (
    <section aria-label={t("settings.models")} className="flex flex-col gap-3 pb-8">
      <JsonEditor
        key={generation}
        label={t("settings.models_editor")}
        text={base}
        problems={problems}
        onChange={(text) => {
          setTyped(text);
          setMistake(null);
          save.reset();
        }}
        onSave={submit}
      />
      {(save.error !== null || mistake !== null) && (
        <div role="alert" className="rounded-md bg-danger-soft px-4 py-3 text-danger text-sm">
          <p>{mistake === null ? t("settings.models_refused") : t("settings.models_no_json")}</p>
          <ul className="list-disc pl-5">
            {mistake !== null && <li>{mistake}</li>}
            {problems.map(({ path, message }) => (
              <li key={`${path} ${message}`}>
                {path !== "" && <code className="font-mono text-xs">{path}: </code>}
                {message}
              </li>
            ))}
            {save.error !== null && problems.length === 0 && <li>{errorText(save.error)}</li>}
          </ul>
        </div>
      )}
      <div className="flex flex-wrap items-center justify-end gap-2">
        <p className="flex-1 text-muted text-sm">
          {isOutdated && isDirty ? t("settings.models_outdated") : isDirty && t("settings.server_unsaved")}
        </p>
        <Button
          disabled={!isDirty}
          onClick={() => {
            save.reset();
            start(saved);
          }}
        >
          {t("settings.discard")}
        </Button>
        <Button variant="primary" disabled={!isDirty || save.isPending} onClick={submit}>
          {t("settings.save")}
        </Button>
      </div>
    </section>
  );
}

function formatted(config: unknown): string {
  return `${JSON.stringify(config, null, 2)}\n`;
}

function parsed(text: string): { value: unknown; text: string; error: string | null } {
  try {
    const value: unknown = JSON.parse(text);
    return { value, text: formatted(value), error: null };
  } catch (error) {
    return { value: null, text, error: (error as Error).message };
  }
}

function problemsIn(error: Error | null): readonly Problem[] {
  return error instanceof CommandError && Array.isArray(error.details) ? error.details : [];
}
