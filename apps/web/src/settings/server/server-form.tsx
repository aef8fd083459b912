import { CommandError, type CommandOutput } from "@sm/router/client";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useState } from "react";
import { useService } from "../../client/service-context.tsx";
import { Button } from "../../design/button.tsx";
import { Select, Switch } from "../../design/choices.tsx";
import { errorText } from "../../design/error-state.tsx";
import { Field, Input, TextArea } from "../../design/input.tsx";
import { toast } from "../../design/toast.tsx";
import { t } from "../../i18n/text.ts";
import { SettingsGroup } from "../section-parts.tsx";
import { type Draft, draftOf, type FieldGroup, isChanged, type ServerField, withDraft } from "./server-fields.ts";

interface ServerFormProps {
  server: Record<string, unknown>;
  /** The fields of the form. */
  groups: readonly FieldGroup[];
  /** What is said when they are saved. */
  saved: string;
  /** Fields whose values here are not in force, as this process was started with others. */
  overrides?: readonly ConfigOverride[];
  /** Tells what saving would do. */
  preview?: (draft: Draft) => ReactNode;
}

export function ServerForm({ server, groups, saved, overrides = [], preview }: ServerFormProps) {
  const service = useService();
  const [before] = useState(() => draftOf(server, groups));
  const [draft, setDraft] = useState(before);
  const save = useMutation({
    async mutationFn() {
      // Concurrent changes in other parts of the configuration are kept.
      const bundle = await service.call("get_config_bundle", {});
      await service.call("save_config_bundle", { ...bundle, server: withDraft(bundle.server, before, draft, groups) });
    },
    onSuccess: () => toast({ text: saved }),
  });
  const problems = problemsIn(save.error);
  const isDirty = isChanged(before, draft);

  function submit(event: FormEvent): void {
    event.preventDefault();
    save.mutate();
  }

  return (
    <form onSubmit={submit}>
      {groups.map(({ title, fields }) => (
        <SettingsGroup key={title} title={t(title)}>
          <div className="flex flex-col gap-5">
            {fields.map((field) => (
              <ServerInput
                key={field.name}
                field={field}
                text={draft[field.name] ?? ""}
                override={overrides.find((one) => one.field === field.name) ?? null}
                error={problems.get(field.name) ?? null}
                onChange={(text) => setDraft((typed): Draft => ({ ...typed, [field.name]: text }))}
              />
            ))}
          </div>
        </SettingsGroup>
      ))}
      {(isDirty || save.error !== null) && (
        <div className="sticky bottom-0 -mx-2 flex flex-wrap items-center justify-end gap-2 rounded-lg bg-raised px-4 py-3 shadow-pop">
          <p role={save.error === null ? undefined : "alert"} className="flex-1 text-sm phone:basis-full">
            {save.error === null ? (
              <>
                <span className="text-muted">{t("settings.server_unsaved")}</span>
                {isDirty && preview?.(draft)}
              </>
            ) : (
              <span className="text-danger">
                {problems.size > 0 ? t("settings.server_wrong", { count: problems.size }) : errorText(save.error)}
              </span>
            )}
          </p>
          <Button
            onClick={() => {
              save.reset();
              setDraft(before);
            }}
          >
            {t("settings.discard")}
          </Button>
          <Button type="submit" variant="primary" disabled={!isDirty || save.isPending}>
            {t("settings.save")}
          </Button>
        </div>
      )}
    </form>
  );
}

type ConfigOverride = CommandOutput<"get_config_overrides">[number];

interface ServerInputProps {
  field: ServerField;
  override: ConfigOverride | null;
  text: string;
  error: string | null;
  onChange(text: string): void;
}

function ServerInput({ field, override, text, error, onChange }: ServerInputProps) {
  const { name, kind, usual, choices, title } = field;
  const label = t(title);
  const hint =
    override === null ? (
      t(field.hint)
    ) : (
      <>
        {t(field.hint)}{" "}
        <strong className="font-strong text-warning">
          {t("settings.overridden", { value: String(override.value), source: override.source })}
        </strong>
      </>
    );
  if (kind === "switch") {
    return (
      <Switch label={label} hint={hint} checked={text === "true"} onCheckedChange={(on) => onChange(String(on))} />
    );
  }
  const usualText = usual === null ? "" : String(usual);
  return (
    <Field label={label} hint={hint} error={error}>
      {({ "aria-invalid": invalid, ...attributes }) => {
        if (kind === "choice") {
          return (
            <Select
              {...attributes}
              value={choices.includes(text) ? text : usualText}
              onChange={onChange}
              options={choices.map((choice) => ({ value: choice, text: choice }))}
              className="w-40"
            />
          );
        }
        const shared = {
          ...attributes,
          "aria-invalid": invalid,
          name,
          value: text,
          onChange: (event: { target: { value: string } }) => onChange(event.target.value),
        };
        return kind === "list" ? (
          <TextArea {...shared} rows={2} spellCheck={false} className="min-h-15! font-mono" />
        ) : (
          <Input
            {...shared}
            {...(kind === "number" && { inputMode: "numeric" })}
            placeholder={usualText}
            className={kind === "number" ? "w-40" : "max-w-100"}
          />
        );
      }}
    </Field>
  );
}

/** What the service says about fields, by their names. */
function problemsIn(error: Error | null): ReadonlyMap<string, string> {
  if (!(error instanceof CommandError) || !Array.isArray(error.details)) return new Map();
  return new Map(
    error.details
      .filter(({ path }) => path.startsWith("server."))
      // A list's problem is at one of its texts: `allowed_hosts.0`.
      .map(({ path, message }) => [path.slice("server.".length).replace(/\.\d+$/, ""), message]),
  );
}
