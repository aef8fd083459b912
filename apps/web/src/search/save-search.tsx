import { Bookmark, BookmarkCheck } from "lucide-react";
import { type FormEvent, useState } from "react";
import { usePreference } from "../browser/preference.ts";
import { Button, IconButton } from "../design/button.tsx";
import { Field, Input } from "../design/input.tsx";
import { Popover } from "../design/popover.tsx";
import { t } from "../i18n/text.ts";
import { stringifySearch } from "../url/search-params.ts";
import { savedSearches } from "./saved-searches.ts";
import type { SearchState } from "./search-state.ts";

/** Keeps a search in the navigation under a name, or forgets it. */
export function SaveSearch({ state }: { state: SearchState }) {
  const saved = usePreference(savedSearches);
  const [isOpen, setOpen] = useState(false);
  const search = stringifySearch({ ...state });
  if (search === "") return null;
  if (saved.some((one) => one.search === search)) {
    return (
      <IconButton
        icon={BookmarkCheck}
        label={t("search.forget")}
        aria-pressed
        className="text-accent"
        onClick={() => savedSearches.set(saved.filter((one) => one.search !== search))}
      />
    );
  }
  return (
    <Popover
      open={isOpen}
      onOpenChange={setOpen}
      align="end"
      label={t("search.save")}
      trigger={<IconButton icon={Bookmark} label={t("search.save")} />}
    >
      <SaveForm
        suggestion={state.q ?? ""}
        onSave={(name) => {
          savedSearches.set([...savedSearches.get(), { name, search }]);
          setOpen(false);
        }}
      />
    </Popover>
  );
}

const MAX_NAME_LENGTH = 100;

function SaveForm({ suggestion, onSave }: { suggestion: string; onSave(name: string): void }) {
  const [name, setName] = useState(suggestion.slice(0, MAX_NAME_LENGTH));
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() !== "") onSave(name.trim());
  };
  return (
    <form onSubmit={onSubmit} className="flex flex-col gap-3">
      <Field label={t("search.save_name")} hint={t("search.save_hint")}>
        {(attributes) => (
          <Input
            {...attributes}
            maxLength={MAX_NAME_LENGTH}
            value={name}
            onChange={({ target }) => setName(target.value)}
          />
        )}
      </Field>
      <Button type="submit" variant="primary" className="self-end" disabled={name.trim() === ""}>
        {t("search.save_do")}
      </Button>
    </form>
  );
}
