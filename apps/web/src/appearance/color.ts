/** Red, green and blue, each from 0 to 255. */
export type Rgb = readonly [red: number, green: number, blue: number];

export const WHITE: Rgb = [255, 255, 255];
export const BLACK: Rgb = [0, 0, 0];

/** Reads `#rrggbb`; `null`: it is anything else. */
export function readHex(text: string): Rgb | null {
  if (!/^#[\da-f]{6}$/i.test(text)) return null;
  const number = Number.parseInt(text.slice(1), 16);
  return [number >> 16, (number >> 8) & 255, number & 255];
}

/** Writes a color as `#rrggbb`. */
export function writeHex(color: Rgb): string {
  return `#${color.map((part) => Math.round(part).toString(16).padStart(2, "0")).join("")}`;
}

/** Mixes a color with another, of which the part from 0 to 1 is taken. */
export function mix([red, green, blue]: Rgb, other: Rgb, part: number): Rgb {
  const between = (own: number, to: number) => Math.round(own + (to - own) * part);
  return [between(red, other[0]), between(green, other[1]), between(blue, other[2])];
}

/** The relative luminance of WCAG, from 0 for black to 1 for white. */
function luminance([red, green, blue]: Rgb): number {
  const linear = (part: number) => (part <= 10.31475 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4);
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

/** The contrast of two colors as WCAG counts it, from 1 to 21. */
export function contrast(one: Rgb, other: Rgb): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

/** Steps from a color to black or white. */
const TONES = 64;

/** The tone nearest to a color, on the way to `end`, that has a contrast to all others; `end` where none has. */
export function nearestTone(color: Rgb, end: Rgb, others: readonly Rgb[], ratio: number): Rgb {
  for (let step = 0; step < TONES; step++) {
    const tone = mix(color, end, step / TONES);
    if (others.every((other) => contrast(tone, other) >= ratio)) return tone;
  }
  return end;
}
