import { isJsonObject, type JsonObject, type JsonValue } from "@sm/core";

/** Colors that a theme must have (agent 0.74.2, `ThemeJsonSchema`); later versions may have more. */
const REQUIRED = [
  ..."accent border borderAccent borderMuted success error warning muted dim text thinkingText".split(" "),
  ..."selectedBg userMessageBg userMessageText customMessageBg customMessageText customMessageLabel".split(" "),
  ..."toolPendingBg toolSuccessBg toolErrorBg toolTitle toolOutput".split(" "),
  ..."mdHeading mdLink mdLinkUrl mdCode mdCodeBlock mdCodeBlockBorder mdQuote mdQuoteBorder mdHr mdListBullet".split(
    " ",
  ),
  ..."toolDiffAdded toolDiffRemoved toolDiffContext".split(" "),
  ..."syntaxComment syntaxKeyword syntaxFunction syntaxVariable syntaxString syntaxNumber syntaxType".split(" "),
  ..."syntaxOperator syntaxPunctuation".split(" "),
  ..."thinkingOff thinkingMinimal thinkingLow thinkingMedium thinkingHigh thinkingXhigh bashMode".split(" "),
];

/** A chain of more variables is a circle. */
const MOST_STEPS = 20;
const MOST_COLORS = 500;
const MOST_PROBLEMS = 10;

/** Reads the colors of a theme; `problems` says which are missing or wrong. */
export function themeColors(theme: JsonObject): { colors: Record<string, string>; problems: string[] } {
  const vars = isJsonObject(theme.vars) ? theme.vars : {};
  const given = isJsonObject(theme.colors) ? theme.colors : {};
  const colors = new Map<string, string>();
  const wrong: string[] = [];
  for (const [name, value] of Object.entries(given).slice(0, MOST_COLORS)) {
    const color = colorOf(value, vars);
    if (color === null) wrong.push(`The color ${name} is none, and names no variable.`);
    else colors.set(name, color);
  }
  const missing = REQUIRED.filter((name) => !Object.hasOwn(given, name));
  const problems = wrong.slice(0, MOST_PROBLEMS);
  if (missing.length > 0) problems.unshift(`Colors are missing: ${missing.join(", ")}.`);
  return { colors: Object.fromEntries(colors), problems };
}

function colorOf(value: JsonValue | undefined, vars: JsonObject): string | null {
  let at = value;
  for (let step = 0; step < MOST_STEPS; step++) {
    if (typeof at === "number") return Number.isInteger(at) && at >= 0 && at <= 255 ? terminalColor(at) : null;
    if (typeof at !== "string") return null;
    if (at === "" || /^#[\da-f]{6}$/i.test(at)) return at.toLowerCase();
    at = Object.hasOwn(vars, at) ? vars[at] : undefined;
  }
  return null;
}

/** The first 16 as xterm shows them. */
const BASIC =
  "000000 cd0000 00cd00 cdcd00 0000ee cd00cd 00cdcd e5e5e5 7f7f7f ff0000 00ff00 ffff00 5c5cff ff00ff 00ffff ffffff";
/** Steps of the cube of 6 × 6 × 6 colors behind them. */
const STEPS = [0, 95, 135, 175, 215, 255];

/** One of the 256 colors of a terminal: 16 basic ones, a cube, and 24 shades of grey. */
function terminalColor(index: number): string {
  const basic = BASIC.split(" ")[index];
  if (basic !== undefined) return `#${basic}`;
  const grey = 8 + (index - 232) * 10;
  const cube = index - 16;
  const parts =
    index >= 232
      ? [grey, grey, grey]
      : [Math.floor(cube / 36), Math.floor(cube / 6) % 6, cube % 6].map((step) => STEPS[step] ?? 0);
  return `#${parts.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
}
