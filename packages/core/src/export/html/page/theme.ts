const KEY = "session-manager-theme";

/** Restores the color scheme chosen earlier. */
export function restoreTheme(): void {
  try {
    const chosen = localStorage.getItem(KEY);
    if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
  } catch {
    // Some browsers have no storage for local files.
  }
}

export function switchTheme(): void {
  const root = document.documentElement;
  const isDark = (root.dataset.theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "")) === "dark";
  const chosen = isDark ? "light" : "dark";
  root.dataset.theme = chosen;
  try {
    localStorage.setItem(KEY, chosen);
  } catch {
    // Then the choice lasts until the page is closed.
  }
}
