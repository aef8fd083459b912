import { readStored } from "../browser/stored.ts";

/** What is stored, see `appearance/theme.ts`. */
interface StoredTheme {
  base?: unknown;
  colors?: object;
}

/** Before the first paint, so that a page that was asked to be light does not begin dark. */
export function showFirstTheme(): void {
  try {
    const theme = readStored("theme") as StoredTheme | string | null;
    const { base = theme, colors = {} }: StoredTheme = typeof theme === "object" && theme !== null ? theme : {};
    const { dataset, style } = document.documentElement;
    if (base === "light" || base === "dark") dataset.theme = base;
    for (const [token, color] of Object.entries(colors)) {
      if (/^[a-z\d-]+$/.test(token) && /^#[\da-f]{6}$/.test(String(color))) style.setProperty(`--${token}`, color);
    }
  } catch {
    // Without storage the system decides.
  }
}
