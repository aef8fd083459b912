import { type FormEvent, useState } from "react";
import type { Tag } from "../client/tags.ts";
import { Button } from "../design/button.tsx";
import { classNames } from "../design/class-names.ts";
import { NameField, type NameFieldProps } from "../design/name-field.tsx";
import { type PlainTextKey, t } from "../i18n/text.ts";

/** Colours that can be told apart on both themes, with their names. */
const COLORS: readonly (readonly [color: string, name: PlainTextKey])[] = [
  ["#d1495b", "tags.red"],
  ["#d98324", "tags.orange"],
  ["#a8881f", "tags.yellow"],
  ["#3f9d5a", "tags.green"],
  ["#2a9d9a", "tags.teal"],
  ["#3a7fd5", "tags.blue"],
  ["#7a63d4", "tags.violet"],
  ["#b955b0", "tags.pink"],
  ["#7b8494", "tags.gray"],
];

export const USUAL_COLOR = "#3a7fd5";

type NameAndColor = Pick<Tag, "name" | "color">;

export interface TagFormProps {
  /** What the fields say first. */
  tag: NameAndColor;
  /** The command that saves it. */
  command: NameFieldProps["command"] & { isPending: boolean };
  /** What the button says. */
  action: string;
  onSave(tag: NameAndColor): void;
}

/** The name and the colour of a tag. */
export function TagForm({ tag, command, action, onSave }: TagFormProps) {
  const [name, setName] = useState(tag.name);
  const [color, setColor] = useState(tag.color);
  const isListed = COLORS.some(([one]) => one === tag.color);
  const colors = isListed ? COLORS : [...COLORS, [tag.color, "tags.own_color"] as const];

  function save(event: FormEvent) {
    event.preventDefault();
    if (name.trim() !== "") onSave({ name, color });
  }

  return (
    <form onSubmit={save} className="flex flex-col gap-4 pt-1">
      <NameField label={t("tags.name")} value={name} onChange={setName} command={command} />
      <fieldset className="flex flex-wrap gap-2">
        <legend className="mb-1 text-muted text-sm">{t("tags.color")}</legend>
        {colors.map(([one, colorName]) => (
          <label
            key={one}
            title={t(colorName)}
            style={{ backgroundColor: one }}
            className={classNames(
              "relative size-7 rounded-full outline-offset-2 has-focus-visible:outline-2 has-focus-visible:outline-accent touch:size-10",
              one === color && "ring-2 ring-ink ring-offset-2 ring-offset-raised",
            )}
          >
            <input
              type="radio"
              name="color"
              className="sr-only"
              aria-label={t(colorName)}
              checked={one === color}
              onChange={() => setColor(one)}
            />
          </label>
        ))}
      </fieldset>
      <Button type="submit" variant="primary" className="self-end" disabled={command.isPending || name.trim() === ""}>
        {action}
      </Button>
    </form>
  );
}
