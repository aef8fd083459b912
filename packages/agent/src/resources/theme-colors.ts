import { isJsonObject, type JsonObject, type JsonValue } from "@sm/core";
import { okhslToHex, oklchToHex } from "./ok-colors.ts";

/** Required colors of a theme (agent 1.5.2, `schemas/theme.schema.json`, like everything here). */
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
/** Optional colors of a theme, with their fallbacks. */
const OPTIONAL = new Map([
  ["scrollbarTrack", "muted"],
  ["scrollbarThumb", "text"],
  ["searchMatchBg", "selectedBg"],
  ["searchMatchText", "text"],
  ["thinkingMax", "thinkingXhigh"],
]);
const COLORS: ReadonlySet<string> = new Set([...REQUIRED, ...OPTIONAL.keys()]);
const EXPORT_COLORS: ReadonlySet<string> = new Set(["pageBg", "cardBg", "infoBg"]);
const FIELDS: ReadonlySet<string> = new Set(["$schema", "name", "appearance", "vars", "colors", "export"]);
/** The agent creates this theme from the terminal's colors. */
const RESERVED_NAME = "system";

/** Length of a value in a message. */
const SHOWN = 40;
/** Maximum number of errors in a message. */
const MAX_NAMED = 3;

/** An error in a theme, as a part of a sentence. */
class ThemeMistake extends Error {}

/**
 * Reads the colors of a theme file like the agent, with variables and fallbacks resolved. `problem` is one sentence
 * that says why the agent does not load the theme, otherwise `null`. Valid colors are returned in any case.
 */
export function readThemeColors(theme: JsonObject): { colors: Record<string, string>; problem: string | null } {
  const vars = isJsonObject(theme.vars) ? theme.vars : {};
  const given = isJsonObject(theme.colors) ? theme.colors : {};
  const mistakes = mistakesOfFields(theme);
  const colors = new Map<string, string>();
  for (const name of COLORS) {
    if (!Object.hasOwn(given, name)) continue;
    try {
      colors.set(name, readColor(given[name], vars));
    } catch (error) {
      if (!(error instanceof ThemeMistake)) throw error;
      mistakes.push(`${name} ${error.message}`);
    }
  }
  for (const [name, fallback] of OPTIONAL) {
    const color = colors.get(fallback);
    if (color !== undefined && !Object.hasOwn(given, name)) colors.set(name, color);
  }
  const more = mistakes.length - MAX_NAMED;
  const named = more <= 0 ? mistakes : [...mistakes.slice(0, MAX_NAMED), `${more} more`];
  const problem = mistakes.length === 0 ? null : `The agent does not load it: ${named.join("; ")}.`;
  return { colors: Object.fromEntries(colors), problem };
}

/** Errors in fields other than `colors`. */
function mistakesOfFields({ name, appearance, vars, colors, export: exported, ...others }: JsonObject): string[] {
  const mistakes: string[] = [];
  if (typeof name !== "string" || name === "") mistakes.push('the field "name" is missing');
  else if (name.includes("/")) mistakes.push('the name has a "/"');
  else if (name === RESERVED_NAME) mistakes.push(`the name "${RESERVED_NAME}" is taken by a theme of the agent`);
  if (!isJsonObject(colors)) mistakes.push('the field "colors" is missing');
  else {
    const missing = REQUIRED.filter((color) => !Object.hasOwn(colors, color));
    if (missing.length > 0) mistakes.push(`colors are missing: ${missing.join(", ")}`);
    const unknown = Object.keys(colors).filter((color) => !COLORS.has(color));
    if (unknown.length > 0) mistakes.push(`unknown colors: ${listOf(unknown)}`);
  }
  if (appearance !== undefined && appearance !== "dark" && appearance !== "light") {
    mistakes.push('the field "appearance" is neither "dark" nor "light"');
  }
  if (vars !== undefined && !(isJsonObject(vars) && Object.values(vars).every(isColorValue))) {
    mistakes.push('a value in "vars" is neither text nor a number from 0 to 255');
  }
  if (
    exported !== undefined &&
    !(
      isJsonObject(exported) &&
      Object.entries(exported).every(([color, value]) => EXPORT_COLORS.has(color) && isColorValue(value))
    )
  ) {
    mistakes.push(`"export" may have only the colors ${[...EXPORT_COLORS].join(", ")}`);
  }
  const unknown = Object.keys(others).filter((field) => !FIELDS.has(field));
  if (unknown.length > 0) mistakes.push(`unknown fields: ${listOf(unknown)}`);
  return mistakes;
}

function listOf(names: string[]): string {
  const shown = names.slice(0, MAX_NAMED).map((name) => name.slice(0, SHOWN));
  return names.length > MAX_NAMED ? `${shown.join(", ")} and ${names.length - MAX_NAMED} more` : shown.join(", ");
}

function isColorValue(value: JsonValue | undefined): value is string | number {
  if (typeof value === "number") return Number.isInteger(value) && value >= 0 && value <= 255;
  return typeof value === "string";
}

/** Resolves variables to a color as `#rrggbb`, or "" for the terminal's default. */
function readColor(value: JsonValue | undefined, vars: JsonObject): string {
  const names = new Set<string>();
  for (let at = value; ; ) {
    if (!isColorValue(at)) throw new ThemeMistake(`is ${show(at)}, neither text nor a number from 0 to 255`);
    if (typeof at === "number") return terminalColor(at);
    if (at === "") return at;
    if (at.startsWith("#") || /^ok(lch|hsl)\(/i.test(at)) return readLiteral(at);
    if (names.has(at)) throw new ThemeMistake(`is ${show(value)}, a variable that refers to itself`);
    if (!Object.hasOwn(vars, at)) {
      throw new ThemeMistake(`is ${show(at)}, neither a color (#rrggbb, oklch(…), okhsl(…), 0 to 255) nor a variable`);
    }
    names.add(at);
    at = vars[at];
  }
}

function show(value: JsonValue | undefined): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
}

const NUMBER = String.raw`([+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?)`;
const OKLCH = new RegExp(String.raw`^oklch\(\s*${NUMBER}(%?)\s+${NUMBER}\s+${NUMBER}(?:deg)?\s*\)$`, "i");
const OKHSL = new RegExp(String.raw`^okhsl\(\s*${NUMBER}(?:deg)?\s+${NUMBER}(%?)\s+${NUMBER}(%?)\s*\)$`, "i");

function readLiteral(text: string): string {
  const [, hex] = /^#([\da-f]{3}|[\da-f]{6})$/i.exec(text) ?? [];
  if (hex !== undefined) return `#${hex.length === 3 ? hex.replace(/./g, "$&$&") : hex}`.toLowerCase();
  const [, l, lUnit, c, h] = OKLCH.exec(text) ?? [];
  if (l !== undefined) return oklchToHex(part(l, lUnit, text), amount(c, text), number(h, text));
  const [, hue, s, sUnit, lightness, lightnessUnit] = OKHSL.exec(text) ?? [];
  if (hue !== undefined)
    return okhslToHex(number(hue, text), part(s, sUnit, text), part(lightness, lightnessUnit, text));
  throw new ThemeMistake(`is ${show(text)}, which is not written as #rgb, #rrggbb, oklch(L C H) or okhsl(H S L)`);
}

function number(digits: string | undefined, text: string): number {
  const value = Number(digits);
  if (!Number.isFinite(value)) throw new ThemeMistake(`is ${show(text)}, which has too large a number`);
  return value;
}

function amount(digits: string | undefined, text: string): number {
  const value = number(digits, text);
  if (value < 0) throw new ThemeMistake(`is ${show(text)}, whose chroma is below 0`);
  return value;
}

function part(digits: string | undefined, unit: string | undefined, text: string): number {
  const value = number(digits, text) / (unit === "%" ? 100 : 1);
  if (value < 0 || value > 1) throw new ThemeMistake(`is ${show(text)}, which has a part outside 0% to 100%`);
  return value;
}

/** The first 16 colors, which terminals may define differently, as in the agent's exports. */
const BASIC =
  "000000 800000 008000 808000 000080 800080 008080 c0c0c0 808080 ff0000 00ff00 ffff00 0000ff ff00ff 00ffff ffffff";
/** Levels of the 6 × 6 × 6 color cube. */
const STEPS = [0, 95, 135, 175, 215, 255];

/** One of the 256 terminal colors: 16 basic ones, a cube, and 24 shades of grey. */
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
