import { useQuery } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";
import { usePreference } from "../browser/preference.ts";
import { commandQuery } from "../client/commands.ts";
import { useIsHub } from "../client/hub.ts";
import { useService } from "../client/service-context.tsx";
import type { Option } from "../design/choices.tsx";
import { t } from "../i18n/text.ts";
import { projectName } from "../projects/project-name.ts";
import { pageTheme } from "./agent-colors.ts";
import { type AgentTheme, type Theme, themePreference } from "./theme.ts";

export interface ThemeChoice {
  /** The selected theme: a built-in one, or the path of one of the agent's. */
  value: string;
  /** The page's own. */
  options: Option<string>[];
  /** Those that the agent can load, and the one that is in use, wherever it has gone. */
  agentOptions: Option<string>[];
  choose(value: string): void;
}

/** The stored choice of colours, and how to change it. */
export function useThemeChoice(): ThemeChoice {
  const theme = usePreference(themePreference);
  const themes = useAgentThemes(true);
  const isListed = typeof theme === "string" || themes.some(({ path }) => path === theme.path);
  const offered = isListed ? themes : [...themes, theme];
  const own: Option<Extract<Theme, string>>[] = [
    { value: "system", text: t("frame.theme_system") },
    { value: "light", text: t("frame.theme_light") },
    { value: "dark", text: t("frame.theme_dark") },
  ];
  return {
    value: typeof theme === "string" ? theme : theme.path,
    options: own,
    agentOptions: offered.map(({ path, name }) => ({ value: path, text: name })),
    choose(value) {
      const chosen = own.find((one) => one.value === value)?.value ?? offered.find(({ path }) => path === value);
      if (chosen !== undefined) themePreference.set(chosen);
    },
  };
}

/** Brings the theme of the agent that is in use up to date when the service tells of another version. */
export function useFreshTheme(): void {
  const theme = usePreference(themePreference);
  const path = typeof theme === "string" ? null : theme.path;
  const fresh = useAgentThemes(path !== null).find((one) => one.path === path);
  const hasChanged = fresh !== undefined && JSON.stringify(fresh) !== JSON.stringify(theme);
  useEffect(() => {
    if (hasChanged) themePreference.set(fresh);
  }, [hasChanged, fresh]);
}

function useAgentThemes(enabled: boolean): AgentTheme[] {
  const isHub = useIsHub();
  const { data } = useQuery({ ...commandQuery(useService(), "list_themes"), enabled: enabled && !isHub });
  return useMemo(() => {
    const usable = (data ?? []).filter((theme) => theme.enabled);
    const isOne = (name: string) => usable.filter((other) => other.name === name).length === 1;
    return usable.map(({ path, name, project, colors }) => {
      const where = project === null || isOne(name) ? "" : ` · ${projectName(project)}`;
      return { path, name: `${name}${where}`, ...pageTheme(colors) };
    });
  }, [data]);
}
