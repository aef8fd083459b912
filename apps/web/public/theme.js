// Before the first paint, so that a page that was asked to be light does not begin dark. See src/design/theme.ts.
try {
  const theme = JSON.parse(localStorage.getItem("session-manager.theme"));
  const { dataset, style } = document.documentElement;
  const base = theme?.base ?? theme;
  if (base === "light" || base === "dark") dataset.theme = base;
  for (const [token, color] of Object.entries(theme?.colors ?? {})) {
    if (/^[a-z\d-]+$/.test(token) && /^#[\da-f]{6}$/.test(color)) style.setProperty(`--${token}`, color);
  }
} catch {
  // Without storage the system decides.
}
