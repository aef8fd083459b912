import { Command } from "cmdk";
import { Search } from "lucide-react";
import { Dialog } from "radix-ui";
import { useEffect, useRef, useState } from "react";
import { TagDot } from "../design/chip.tsx";
import { useFocusBack } from "../design/focus.ts";
import { Keys } from "../design/keys.tsx";
import { formatMoment, formatWhen } from "../i18n/format.ts";
import { t } from "../i18n/text.ts";
import type { PaletteEntry } from "./palette-entry.ts";
import { rememberItem } from "./recent.ts";
import { usePaletteGroups } from "./use-palette-groups.ts";

export interface PaletteProps {
  onClose(): void;
}

/** Everything that can be done and everything that can be gone to, by its name. */
export function Palette({ onClose }: PaletteProps) {
  const chosen = useRef<PaletteEntry | null>(null);
  const focusBack = useFocusBack(true);
  return (
    <Dialog.Root open onOpenChange={(isOpen) => isOpen || onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-40 animate-[fade_120ms] bg-scrim" />
        <Dialog.Content
          aria-describedby={undefined}
          // The selected action may set the focus, so it runs after the dialog has released it.
          onCloseAutoFocus={(event) => {
            focusBack(event);
            chosen.current?.run();
          }}
          onKeyDown={(event) => {
            if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey)) return;
            event.preventDefault();
            onClose();
          }}
          className="fixed top-[12vh] left-1/2 z-40 flex max-h-[70vh] w-[95vw] max-w-160 -translate-x-1/2 animate-[appear_140ms_var(--ease-out)] flex-col overflow-hidden rounded-lg bg-raised shadow-pop phone:top-[4vh] phone:max-h-[80vh]"
        >
          <Dialog.Title className="sr-only">{t("palette.title")}</Dialog.Title>
          <Entries
            onChoose={(entry) => {
              rememberItem(entry.id);
              chosen.current = entry;
              onClose();
            }}
          />
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function Entries({ onChoose }: { onChoose(entry: PaletteEntry): void }) {
  const [typed, setTyped] = useState("");
  const { query, groups } = usePaletteGroups(typed);
  const first = groups[0]?.entries[0]?.id ?? "";
  const [chosen, setChosen] = useState({ query, id: first });
  // Entries may disappear while the palette is open, and results for the input arrive later.
  const isThere = groups.some(({ entries }) => entries.some(({ id }) => id === chosen.id));
  if (chosen.query !== query || (!isThere && chosen.id !== first)) setChosen({ query, id: first });
  // Who types fast presses Enter before what is found is shown, and means that and not what is there still.
  const [isDue, setDue] = useState(false);
  useEffect(() => {
    if (!isDue || query !== typed) return;
    setDue(false);
    const entry = groups.flatMap(({ entries }) => entries).find(({ id }) => id === chosen.id);
    if (entry !== undefined) onChoose(entry);
  }, [isDue, query, typed, groups, chosen, onChoose]);
  return (
    <Command
      onKeyDown={(event) => {
        if (event.key !== "Enter" || event.nativeEvent.isComposing || query === typed) return;
        event.preventDefault();
        setDue(true);
      }}
      // Results are already filtered and sorted.
      shouldFilter={false}
      value={chosen.id}
      onValueChange={(id) => setChosen({ query, id })}
      loop
      label={t("palette.title")}
      className="flex min-h-0 flex-col"
    >
      <div className="flex shrink-0 items-center gap-3 px-4">
        <Search aria-hidden size={17} strokeWidth={1.75} className="shrink-0 text-faint" />
        <Command.Input
          value={typed}
          onValueChange={setTyped}
          placeholder={t("palette.field")}
          className="h-12 min-w-0 flex-1 bg-transparent text-base outline-none touch:text-lg"
        />
      </div>
      <Command.List className="min-h-0 flex-1 overflow-y-auto overscroll-contain p-1.5 pt-0">
        {groups.map(({ title, entries }) => (
          <Command.Group
            key={title}
            heading={t(title)}
            className="[&_[cmdk-group-heading]]:px-2.5 [&_[cmdk-group-heading]]:pt-2.5 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-faint [&_[cmdk-group-heading]]:text-xs"
          >
            {entries.map((entry) => (
              <Entry key={entry.id} entry={entry} onChoose={onChoose} />
            ))}
          </Command.Group>
        ))}
      </Command.List>
    </Command>
  );
}

function Entry({ entry, onChoose }: { entry: PaletteEntry; onChoose(entry: PaletteEntry): void }) {
  const { id, text, detail, icon: Icon, color, time, keys } = entry;
  return (
    <Command.Item
      value={id}
      onSelect={() => onChoose(entry)}
      className="flex min-h-9 select-none items-center gap-3 rounded-md px-2.5 text-sm data-[selected=true]:bg-press touch:min-h-11"
    >
      {color === undefined ? (
        <Icon aria-hidden size={16} strokeWidth={1.75} className="shrink-0 text-faint" />
      ) : (
        <span className="flex w-4 shrink-0 justify-center">
          <TagDot color={color} />
        </span>
      )}
      <span className="min-w-0 flex-1 truncate">{text}</span>
      {detail !== undefined && <span className="max-w-[40%] truncate text-muted text-xs">{detail}</span>}
      {time !== undefined && (
        <time dateTime={time} title={formatMoment(time)} className="shrink-0 text-muted text-xs tabular-nums">
          {formatWhen(time)}
        </time>
      )}
      {keys !== undefined && <Keys keys={keys} className="touch:hidden" />}
    </Command.Item>
  );
}
