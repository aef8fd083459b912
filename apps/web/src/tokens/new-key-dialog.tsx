import type { CommandOutput } from "@sm/router/client";
import { Check, Copy } from "lucide-react";
import { type FormEvent, useState } from "react";
import { useCommand } from "../client/commands.ts";
import { Button } from "../design/button.tsx";
import { Segments, Select } from "../design/choices.tsx";
import { tryToCopy } from "../design/copy-text.ts";
import { Dialog } from "../design/dialog.tsx";
import { Field } from "../design/input.tsx";
import { NameField } from "../design/name-field.tsx";
import { toast } from "../design/toast.tsx";
import { t } from "../i18n/text.ts";
import { expiryOf, LIFETIMES, type Lifetime } from "./expiry.ts";

export interface NewKeyDialogProps {
  open: boolean;
  /** The permissions that are chosen at first; `read` if absent. */
  usualScope?: "full" | "read";
  onClose(): void;
  /** Called when there is a new key. */
  onMade(): void;
}

/** Makes an API token and shows it, this once. */
export function NewKeyDialog({ open, usualScope = "read", onClose, onMade }: NewKeyDialogProps) {
  const [made, setMade] = useState<CommandOutput<"create_token"> | null>(null);
  function close(): void {
    setMade(null);
    onClose();
  }
  return (
    <Dialog
      open={open}
      onOpenChange={(isOpen) => isOpen || close()}
      // A key that went with a wrong click would have to be made again.
      isModalOnly={made !== null}
      title={made === null ? t("settings.key_new") : t("settings.key_made")}
    >
      {made === null ? (
        <NewKeyForm
          usualScope={usualScope}
          onMade={(key) => {
            setMade(key);
            onMade();
          }}
        />
      ) : (
        <MadeKey token={made.token} onDone={close} />
      )}
    </Dialog>
  );
}

interface NewKeyFormProps {
  usualScope: "full" | "read";
  onMade(made: CommandOutput<"create_token">): void;
}

function NewKeyForm({ usualScope, onMade }: NewKeyFormProps) {
  const [name, setName] = useState("");
  const [scope, setScope] = useState(usualScope);
  const [lifetime, setLifetime] = useState<Lifetime>("90d");
  const create = useCommand("create_token", { onSuccess: onMade });

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (name.trim() === "") return;
    const expiresAt = expiryOf(lifetime, new Date());
    create.mutate({ name: name.trim(), scope, ...(expiresAt !== undefined && { expires_at: expiresAt }) });
  }

  return (
    <form onSubmit={submit} className="flex flex-col gap-5 pt-1">
      <NameField
        label={t("settings.key_name")}
        hint={t("settings.key_name_hint")}
        value={name}
        onChange={setName}
        command={create}
      />
      <div className="flex flex-col items-start gap-1">
        <span className="text-muted text-sm">{t("settings.key_scope")}</span>
        <Segments
          label={t("settings.key_scope")}
          value={scope}
          onChange={(chosen) => setScope(chosen)}
          options={[
            { value: "read", text: t("settings.key_read") },
            { value: "full", text: t("settings.key_full") },
          ]}
        />
        <p className="text-faint text-xs">
          {scope === "read" ? t("settings.key_read_hint") : t("settings.key_full_hint")}
        </p>
      </div>
      <Field label={t("settings.key_lifetime")}>
        {({ "aria-invalid": _invalid, ...attributes }) => (
          <Select
            {...attributes}
            value={lifetime}
            onChange={(chosen) => setLifetime(chosen)}
            options={LIFETIMES.map((value) => ({ value, text: lifetimeText(value) }))}
            className="w-48"
          />
        )}
      </Field>
      <Button type="submit" variant="primary" className="self-end" disabled={create.isPending || name.trim() === ""}>
        {t("settings.key_make")}
      </Button>
    </form>
  );
}

function lifetimeText(lifetime: Lifetime): string {
  if (lifetime === "never") return t("settings.key_never");
  return t("settings.key_days", { count: Number.parseInt(lifetime, 10) });
}

function MadeKey({ token, onDone }: { token: string; onDone(): void }) {
  const [isCopied, setCopied] = useState(false);
  async function copy(): Promise<void> {
    if (await tryToCopy(token)) setCopied(true);
    else toast({ text: t("frame.copy_failed"), tone: "danger" });
  }
  return (
    <div className="flex flex-col gap-4">
      <p className="text-muted text-sm">{t("settings.key_once")}</p>
      <code className="select-all rounded-md bg-sunken px-3 py-2.5 font-mono text-sm [overflow-wrap:anywhere]">
        {token}
      </code>
      <div className="flex justify-end gap-2">
        <Button icon={isCopied ? Check : Copy} onClick={() => void copy()} autoFocus>
          {isCopied ? t("frame.copied") : t("transcript.copy")}
        </Button>
        <Button variant="primary" onClick={onDone}>
          {t("settings.key_kept")}
        </Button>
      </div>
    </div>
  );
}
