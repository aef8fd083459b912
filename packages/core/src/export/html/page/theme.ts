const KEY = "session-manager-theme";

/** Takes the colours that the reader has chosen before, in this page or in one like it. */
export function restoreTheme(): void {
  try {
    const chosen = localStorage.getItem(KEY);
    if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
  } catch {
    // Some browsers keep nothing for a file.
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
    // It holds for as long as the page is open.
  }
}
