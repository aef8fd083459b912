import type { SessionRecord } from "@sm/router/client";
import { type FormEvent, useState } from "react";
import { useCommand } from "../client/commands.ts";
import { Button } from "../design/button.tsx";
import { classNames } from "../design/class-names.ts";
import { Dialog } from "../design/dialog.tsx";
import { NameField } from "../design/name-field.tsx";
import { t } from "../i18n/text.ts";
import type { SessionActions } from "./session-actions.ts";

/** Colours that can be told apart on both themes. */
const COLORS = ["#d1495b", "#d98324", "#a8881f", "#3f9d5a", "#2a9d9a", "#3a7fd5", "#7a63d4", "#b955b0", "#7b8494"];

export interface NewTagDialogProps {
  open: boolean;
  onClose(): void;
  /** Sessions that get the tag. */
  records: readonly SessionRecord[];
  actions: SessionActions;
}

/** Makes a tag and attaches it. */
export function NewTagDialog({ open, onClose, records, actions }: NewTagDialogProps) {
  const [name, setName] = useState("");
  const [color, setColor] = useState(COLORS[5] ?? "");
  const create = useCommand("create_tag");

  function save(event: FormEvent) {
    event.preventDefault();
    if (name.trim() === "") return;
    create.mutate(
      { name, color },
      {
        onSuccess(tag) {
          actions.setTag(records, tag.id, true);
          setName("");
          onClose();
        },
      },
    );
  }

  return (
    <Dialog open={open} onOpenChange={(isOpen) => isOpen || onClose()} title={t("list.new_tag")} size="sm">
      <form onSubmit={save} className="flex flex-col gap-4 pt-1">
        <NameField label={t("list.tag_name")} value={name} onChange={setName} command={create} />
        <fieldset className="flex flex-wrap gap-2">
          <legend className="mb-1 text-muted text-sm">{t("frame.theme")}</legend>
          {COLORS.map((one) => (
            <label
              key={one}
              style={{ backgroundColor: one }}
              className={classNames(
                "size-7 rounded-full outline-offset-2 has-focus-visible:outline-2 has-focus-visible:outline-accent",
                one === color && "ring-2 ring-ink ring-offset-2 ring-offset-raised",
              )}
            >
              <input
                type="radio"
                name="color"
                className="sr-only"
                aria-label={one}
                checked={one === color}
                onChange={() => setColor(one)}
              />
            </label>
          ))}
        </fieldset>
        <Button type="submit" variant="primary" className="self-end" disabled={create.isPending || name.trim() === ""}>
          {t("list.new_tag")}
        </Button>
      </form>
    </Dialog>
  );
}
