import { visibleCode } from "../visible-text.ts";
import { escapeHtml } from "./escape.ts";

/** Maximum length for colored output; in longer output, every letter could have an element. */
const MAX_COLOURED = 256 * 1024;

/** Terminal commands: control sequences (parameters and a letter), string sequences (titles, links), character sets. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it is these that are looked for
const SEQUENCE = /\x1b(?:\[([0-?]*)[ -/]*([@-~])|[\]P^_X][^\x07\x1b]*(?:\x07|\x1b\\)|[()][0-9AB])/g;

/** Marks private control sequences. */
const PRIVATE = /[<=>?]/;

const COLOURS = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"] as const;
const NAMES = [...COLOURS, ...COLOURS.map((name) => `bright-${name}`)];

/** The named colors of xterm, to find the nearest one. */
const XTERM = [
  [0, 0, 0],
  [205, 0, 0],
  [0, 205, 0],
  [205, 205, 0],
  [0, 0, 238],
  [205, 0, 205],
  [0, 205, 205],
  [229, 229, 229],
  [127, 127, 127],
  [255, 0, 0],
  [0, 255, 0],
  [255, 255, 0],
  [92, 92, 255],
  [255, 0, 255],
  [0, 255, 255],
  [255, 255, 255],
] as const;

interface Style {
  colour: string | null;
  background: string | null;
  /** Class names without `ansi-`. */
  marks: Set<string>;
}

const MARKS: Readonly<Record<number, string>> = {
  1: "bold",
  2: "dim",
  3: "italic",
  4: "underline",
  7: "inverse",
  9: "strike",
};

const ENDED_MARKS: Readonly<Record<number, readonly string[]>> = {
  22: ["bold", "dim"],
  23: ["italic"],
  24: ["underline"],
  27: ["inverse"],
  29: ["strike"],
};

/**
 * Converts a program's output to HTML: colors and weights become classes `ansi-…`, other colors the nearest of the
 * sixteen named ones. Other terminal commands are removed.
 */
export function ansiHtml(output: string): string {
  if (!output.includes("\x1b")) return escapeHtml(visibleCode(output));
  if (output.length > MAX_COLOURED) return escapeHtml(visibleCode(output.replace(SEQUENCE, "")));

  const style: Style = { colour: null, background: null, marks: new Set() };
  let html = "";
  let pending = "";
  let classes = "";
  const write = () => {
    const text = escapeHtml(visibleCode(pending));
    if (text !== "") html += classes === "" ? text : `<span class="${classes}">${text}</span>`;
    pending = "";
  };
  let at = 0;
  for (const match of output.matchAll(SEQUENCE)) {
    pending += output.slice(at, match.index);
    at = match.index + match[0].length;
    const [, parameters = "", command] = match;
    if (command !== "m" || PRIVATE.test(parameters)) continue;
    apply(style, parameters);
    const changed = classesOf(style);
    if (changed === classes) continue;
    write();
    classes = changed;
  }
  pending += output.slice(at);
  write();
  return html;
}

function classesOf({ colour, background, marks }: Style): string {
  const names = [...marks];
  if (colour !== null) names.unshift(colour);
  if (background !== null) names.push(`bg-${background}`);
  return names.map((name) => `ansi-${name}`).join(" ");
}

function apply(style: Style, parameters: string): void {
  const codes = parameters.split(";").flatMap(codesOf);
  for (let at = 0; at < codes.length; at++) {
    const code = codes[at] ?? 0;
    const mark = MARKS[code];
    if (code === 0) {
      style.colour = null;
      style.background = null;
      style.marks.clear();
    } else if (mark !== undefined) {
      style.marks.add(mark);
    } else if (code in ENDED_MARKS) {
      for (const ended of ENDED_MARKS[code] ?? []) style.marks.delete(ended);
    } else if (code === 38 || code === 48) {
      const isPalette = codes[at + 1] === 5;
      if (!isPalette && codes[at + 1] !== 2) return;
      const colour = isPalette ? paletteColour(codes[at + 2]) : nearest(codes.slice(at + 2, at + 5));
      at += isPalette ? 2 : 4;
      if (code === 38) style.colour = colour;
      else style.background = colour;
    } else if (code === 39) {
      style.colour = null;
    } else if (code === 49) {
      style.background = null;
    } else if (code >= 30 && code <= 37) {
      style.colour = NAMES[code - 30] ?? null;
    } else if (code >= 40 && code <= 47) {
      style.background = NAMES[code - 40] ?? null;
    } else if (code >= 90 && code <= 97) {
      style.colour = NAMES[code - 82] ?? null;
    } else if (code >= 100 && code <= 107) {
      style.background = NAMES[code - 92] ?? null;
    }
  }
}

/**
 * `38;2;r;g;b` is common; the standard is `38:2::r:g:b`, with a color space before the color. Colons after other codes
 * select a variant: `4:3` is a curly underline.
 */
function codesOf(parameter: string): number[] {
  const [code = 0, ...details] = parameter.split(":").map(Number);
  if (code !== 38 && code !== 48) return [code];
  if (details[0] === 2 && details.length > 4) details.splice(1, 1);
  return [code, ...details];
}

/** Sixteen named colors, a cube of 6 × 6 × 6, and 24 greys: https://en.wikipedia.org/wiki/ANSI_escape_code#8-bit */
function paletteColour(index = 0): string | null {
  if (index < 16 || index > 255) return NAMES[index] ?? null;
  if (index >= 232) return nearest([8, 8, 8].map((level) => level + (index - 232) * 10));
  const level = (step: number) => (step === 0 ? 0 : 55 + step * 40);
  const cube = index - 16;
  return nearest([level(Math.floor(cube / 36)), level(Math.floor(cube / 6) % 6), level(cube % 6)]);
}

function nearest([red = 0, green = 0, blue = 0]: number[]): string | null {
  let best = 0;
  let least = Number.POSITIVE_INFINITY;
  for (const [at, [r, g, b]] of XTERM.entries()) {
    const distance = (red - r) ** 2 + (green - g) ** 2 + (blue - b) ** 2;
    if (distance < least) {
      best = at;
      least = distance;
    }
  }
  return NAMES[best] ?? null;
}
