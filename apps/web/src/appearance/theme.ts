import { createPreference } from "../browser/preference.ts";
import { type PageTheme, pageTheme } from "./agent-colors.ts";
import { readHex } from "./color.ts";

/** A theme of the agent as it was last seen, so that the page has its colours before the service answers. */
export interface AgentTheme extends PageTheme {
  path: string;
  name: string;
}

export type Theme = "light" | "dark" | "system" | AgentTheme;

/** The colours of the page that a theme of the agent replaces. */
const TOKENS: ReadonlySet<string> = new Set(Object.keys(pageTheme({}).colors));

/** The user's choice of colours. `start/first-theme.ts` reads it too, before the first paint. */
export const themePreference = createPreference<Theme>("theme", "system", readTheme);

/** Parses a stored theme; drops invalid colours and unknown names. */
export function readTheme(stored: unknown): Theme {
  if (stored === "light" || stored === "dark") return stored;
  if (typeof stored !== "object" || stored === null) return "system";
  const { path, name, base, colors } = stored as Record<string, unknown>;
  if (typeof path !== "string" || typeof name !== "string" || typeof colors !== "object" || colors === null) {
    return "system";
  }
  const valid = Object.entries(colors).filter(
    ([token, value]) => TOKENS.has(token) && typeof value === "string" && readHex(value) !== null,
  );
  return { path, name, base: base === "light" ? "light" : "dark", colors: Object.fromEntries(valid) };
}

/** Puts the user's choice on the page and follows it. */
export function followTheme(): void {
  applyTheme();
  themePreference.subscribe(applyTheme);
}

function applyTheme(): void {
  const theme = themePreference.get();
  const { dataset, style } = document.documentElement;
  if (theme === "system") delete dataset.theme;
  else dataset.theme = typeof theme === "object" ? theme.base : theme;
  const colors = typeof theme === "object" ? theme.colors : {};
  for (const token of TOKENS) {
    const color = colors[token];
    if (color === undefined) style.removeProperty(`--${token}`);
    else style.setProperty(`--${token}`, color);
  }
}

/** Tells whether the page is dark at the moment. */
export function isDark(): boolean {
  const theme = themePreference.get();
  if (typeof theme === "object") return theme.base === "dark";
  return theme === "system" ? matchMedia("(prefers-color-scheme: dark)").matches : theme === "dark";
}

/** Calls back whenever the colours of the page change, for what is painted by hand. */
export function onThemeChange(listener: () => void): () => void {
  const system = matchMedia("(prefers-color-scheme: dark)");
  system.addEventListener("change", listener);
  const stop = themePreference.subscribe(listener);
  return () => {
    system.removeEventListener("change", listener);
    stop();
  };
}

/** Reads a colour of tokens.css as it is at the moment, for canvases: `readColor("accent")` → `rgb(…)`. */
export function readColor(token: string): string {
  const probe = document.createElement("span");
  probe.style.color = `var(--${token})`;
  document.body.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}
