import { useNavigate } from "@tanstack/react-router";
import { isDark, themePreference } from "../appearance/theme.ts";
import { useIsHub } from "../client/hub.ts";
import { railCollapsed } from "../rail/rail-size.ts";
import { undoLast } from "../sessions/undo.ts";
import { useActions } from "../shortcuts/actions.ts";

/** What can be done on every screen. */
export function useFrameActions(showShortcuts: () => void): void {
  const navigate = useNavigate();
  const isHub = useIsHub();
  const go = (to: "/" | "/search" | "/live" | "/terminals" | "/statistics") => () => void navigate({ to });
  useActions([
    { id: "go.sessions", title: "shortcuts.go_sessions", group: "go", keys: "g s", run: go("/") },
    {
      id: "go.archived",
      title: "shortcuts.go_archived",
      group: "go",
      keys: "g e",
      run: () => void navigate({ to: "/", search: { archived: true } }),
    },
    { id: "go.search", title: "shortcuts.go_search", group: "go", keys: ["/", "g f"], run: go("/search") },
    ...(isHub
      ? []
      : ([
          { id: "go.live", title: "shortcuts.go_live", group: "go", keys: "g l", run: go("/live") },
          { id: "go.terminals", title: "shortcuts.go_terminals", group: "go", keys: "g t", run: go("/terminals") },
        ] as const)),
    { id: "go.statistics", title: "shortcuts.go_statistics", group: "go", keys: "g u", run: go("/statistics") },
    {
      id: "go.settings",
      title: "shortcuts.go_settings",
      group: "go",
      keys: "g ,",
      run: () => void navigate({ to: "/settings/$", params: { _splat: "" } }),
    },
    {
      id: "view.rail",
      title: "shortcuts.toggle_rail",
      group: "view",
      keys: "mod+b",
      run: () => railCollapsed.set(!railCollapsed.get()),
    },
    {
      id: "view.theme",
      title: "shortcuts.toggle_theme",
      group: "view",
      run: () => themePreference.set(isDark() ? "light" : "dark"),
    },
    { id: "view.undo", title: "shortcuts.undo", group: "view", keys: ["z", "mod+z"], run: undoLast },
    { id: "view.shortcuts", title: "shortcuts.show", group: "view", keys: "?", run: showShortcuts },
  ]);
}
