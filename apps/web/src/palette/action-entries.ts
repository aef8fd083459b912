import {
  Archive,
  ChartColumn,
  Eye,
  List,
  type LucideIcon,
  MessageSquare,
  MessagesSquare,
  Radio,
  Search,
  Settings,
  SquareArrowRight,
  SquareTerminal,
  SunMoon,
} from "lucide-react";
import { useMemo } from "react";
import { type PlainTextKey, t } from "../i18n/text.ts";
import { useAllActions } from "../shortcuts/actions.ts";
import { type ActionGroup, GROUP_TITLES, keysOf } from "../shortcuts/registry.ts";
import type { PaletteEntry } from "./palette-entry.ts";
import { makeSearchable } from "./palette-items.ts";

const GROUP_ICONS: Readonly<Record<ActionGroup, LucideIcon>> = {
  session: MessageSquare,
  list: List,
  focused_list: List,
  live: Radio,
  go: SquareArrowRight,
  view: Eye,
};

/** Actions that lead somewhere have the icon of the place. */
const ICONS: Readonly<Record<string, LucideIcon>> = {
  "go.sessions": MessagesSquare,
  "go.archived": Archive,
  "go.search": Search,
  "search.focus": Search,
  "go.live": Radio,
  "go.terminals": SquareTerminal,
  "go.statistics": ChartColumn,
  "go.settings": Settings,
  "view.theme": SunMoon,
};

/** What else people call it. */
const WORDS: Readonly<Record<string, PlainTextKey>> = {
  "go.statistics": "palette.words_statistics",
  "go.live": "palette.words_live",
  "go.terminals": "palette.words_terminals",
  "go.settings": "palette.words_settings",
  "view.theme": "palette.words_theme",
  "view.shortcuts": "palette.words_shortcuts",
};

/** Everything that can be done now. */
export function useActionEntries() {
  const actions = useAllActions();
  return useMemo(
    () =>
      makeSearchable(
        actions
          .filter(({ id, onlyKeys }) => onlyKeys !== true && id !== "view.palette")
          .map((action): PaletteEntry => {
            const [keys] = keysOf(action);
            const words = WORDS[action.id];
            return {
              id: `action ${action.id}`,
              text: t(action.title),
              detail: t(GROUP_TITLES[action.group]),
              ...(words !== undefined && { words: t(words) }),
              icon: ICONS[action.id] ?? GROUP_ICONS[action.group],
              ...(keys !== undefined && { keys }),
              run: action.run,
            };
          }),
      ),
    [actions],
  );
}
