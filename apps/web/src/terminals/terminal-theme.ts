import type { ITheme } from "@xterm/xterm";
import { readColor } from "../appearance/theme.ts";

/** The colours of the page, as a terminal names them. */
const TOKENS = {
  background: "sunken",
  foreground: "ink",
  cursor: "accent",
  cursorAccent: "sunken",
  black: "line-strong",
  red: "danger",
  green: "added",
  yellow: "warning",
  blue: "code-name",
  magenta: "code-keyword",
  cyan: "code-type",
  white: "muted",
  brightBlack: "faint",
  brightRed: "removed",
  brightGreen: "live",
  brightYellow: "code-number",
  brightBlue: "accent",
  brightMagenta: "code-keyword",
  brightCyan: "code-type",
  brightWhite: "ink",
} as const satisfies ITheme;

/** Reads the colours of the page as they are at the moment. */
export function terminalTheme(): ITheme {
  const colors = Object.entries(TOKENS).map(([name, token]) => [name, readColor(token)]);
  const selection = { selectionBackground: readColor("selected"), selectionInactiveBackground: readColor("selected") };
  return { ...(Object.fromEntries(colors) as ITheme), ...selection };
}

/** Marks of what is found. Decorations take only `#rrggbb`. */
export function searchColors() {
  const match = hex(readColor("mark"));
  const active = hex(readColor("mark-current"));
  return {
    matchBackground: match,
    matchOverviewRuler: match,
    activeMatchBackground: active,
    activeMatchColorOverviewRuler: active,
  };
}

function hex(color: string): string {
  const canvas = document.createElement("canvas");
  canvas.width = 1;
  canvas.height = 1;
  const context = canvas.getContext("2d");
  if (context === null) return "#808080";
  context.fillStyle = color;
  context.fillRect(0, 0, 1, 1);
  const [red = 0, green = 0, blue = 0] = context.getImageData(0, 0, 1, 1).data;
  return `#${[red, green, blue].map((part) => part.toString(16).padStart(2, "0")).join("")}`;
}
