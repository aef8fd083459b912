import { BLACK, contrast, mix, nearestTone, type Rgb, readHex, WHITE, writeHex } from "./color.ts";

/** Colors of the page by their names in tokens.css, as `#rrggbb`. */
export type PageColors = Readonly<Record<string, string>>;

/** What the colors of a theme make of the page. */
export interface PageTheme {
  /** The theme of the page that it stands on: what it does not name looks as there. */
  base: "light" | "dark";
  colors: PageColors;
}

/** Text on any surface (WCAG AA), what is read most, and what is between the two. */
const CONTRAST = { text: 4.5, ink: 7, muted: 5.5 };
/** Symbols other than text. */
const SIGN_CONTRAST = 3;
/** Filled buttons, whose text is nearly white. */
const FILL_CONTRAST = 4.8;
/** What black or white has on every surface, so that other tones have room. */
const SURFACE_CONTRAST = 11;

/** Replaces colors that a theme leaves to the terminal, and invalid ones. */
const USUAL = {
  light: {
    userMessageBg: "#f3f3f6",
    text: "#20222a",
    muted: "#4b4d57",
    dim: "#5f616b",
    accent: "#4a4fbf",
    success: "#1a6b3c",
    error: "#b3261e",
    warning: "#7a5200",
    keyword: "#7a35a8",
    string: "#1a6a35",
    number: "#a04500",
    name: "#1f55a8",
    type: "#0a6470",
  },
  dark: {
    userMessageBg: "#30323c",
    text: "#e8e8ec",
    muted: "#b8bac4",
    dim: "#a2a4ae",
    accent: "#a9b1f5",
    success: "#7fd6a0",
    error: "#f59a93",
    warning: "#e8bd6a",
    keyword: "#d0a6f0",
    string: "#9cd6a8",
    number: "#efb488",
    name: "#9cc4f2",
    type: "#8fd3da",
  },
} as const;

/**
 * Maps the colors of a theme of the agent onto those of the page. Only `#rrggbb` is a color; of tones in which text
 * could not be read, the nearest are taken in which it can.
 */
export function pageTheme(theme: Readonly<Record<string, string>>): PageTheme {
  const own = (name: string) => (Object.hasOwn(theme, name) ? readHex(theme[name] ?? "") : null);
  // The agent makes the background of its exported pages of this color too.
  const background = own("userMessageBg");
  const text = own("text");
  const isDark =
    background !== null
      ? isDarkTone(background)
      : text !== null
        ? !isDarkTone(text)
        : !isDarkTone(own("muted") ?? WHITE);
  const base = isDark ? "dark" : "light";
  const usual = (name: keyof typeof USUAL.dark): Rgb => readHex(USUAL[base][name]) ?? BLACK;
  /** Away from the surfaces. */
  const end = isDark ? WHITE : BLACK;
  const surface = (color: Rgb) => nearestTone(color, isDark ? BLACK : WHITE, [end], SURFACE_CONTRAST);

  const paper = surface(mix(background ?? usual("userMessageBg"), isDark ? BLACK : WHITE, isDark ? 0.3 : 0.8));
  const accent = own("accent") ?? usual("accent");
  const success = own("success") ?? usual("success");
  const error = own("error") ?? usual("error");
  const warning = own("warning") ?? usual("warning");
  const added = own("toolDiffAdded") ?? success;
  const removed = own("toolDiffRemoved") ?? error;
  const soft = (color: Rgb) => surface(mix(paper, color, isDark ? 0.16 : 0.1));
  const surfaces = {
    canvas: mix(paper, BLACK, isDark ? 0.28 : 0.05),
    panel: mix(paper, BLACK, isDark ? 0.14 : 0.025),
    paper,
    raised: surface(isDark ? mix(paper, WHITE, 0.05) : mix(paper, WHITE, 0.6)),
    field: isDark ? mix(paper, BLACK, 0.28) : mix(paper, WHITE, 0.6),
    sunken: mix(paper, BLACK, isDark ? 0.18 : 0.035),
    selected: surface(own("selectedBg") ?? mix(paper, accent, 0.2)),
    "accent-soft": soft(accent),
    "live-soft": soft(success),
    "danger-soft": soft(error),
    "warning-soft": soft(warning),
    "added-soft": soft(added),
    "removed-soft": soft(removed),
  };
  // A pressed menu item has the color nearest to the text.
  const under = [...Object.values(surfaces), mix(surfaces.raised, end, 0.1)];
  const readable = (color: Rgb, ratio = CONTRAST.text) => nearestTone(color, end, under, ratio);
  const fill = (color: Rgb) => nearestTone(color, BLACK, [WHITE], FILL_CONTRAST);
  const code = (name: string, usualName: "keyword" | "string" | "number" | "name" | "type") =>
    readable(own(name) ?? usual(usualName));

  const colors: Record<string, Rgb> = {
    ...surfaces,
    ink: readable(text ?? usual("text"), CONTRAST.ink),
    muted: readable(own("muted") ?? usual("muted"), CONTRAST.muted),
    faint: readable(own("dim") ?? usual("dim")),
    line: mix(paper, end, 0.1),
    "line-strong": mix(paper, end, 0.22),
    accent: readable(accent),
    "accent-fill": fill(accent),
    live: readable(success),
    danger: readable(error),
    "danger-fill": fill(error),
    warning: readable(warning),
    star: readable(warning, SIGN_CONTRAST),
    added: readable(added),
    removed: readable(removed),
    "heat-0": mix(paper, end, 0.06),
    "heat-1": mix(paper, accent, 0.25),
    "heat-2": mix(paper, accent, 0.45),
    "heat-3": mix(paper, accent, 0.7),
    "heat-4": readable(accent),
    "code-keyword": code("syntaxKeyword", "keyword"),
    "code-string": code("syntaxString", "string"),
    "code-number": code("syntaxNumber", "number"),
    "code-comment": readable(own("syntaxComment") ?? usual("dim")),
    "code-name": code("syntaxFunction", "name"),
    "code-type": code("syntaxType", "type"),
  };
  return { base, colors: Object.fromEntries(Object.entries(colors).map(([name, color]) => [name, writeHex(color)])) };
}

function isDarkTone(color: Rgb): boolean {
  return contrast(color, WHITE) > contrast(color, BLACK);
}
