import { formatHex, type Lrgb, modeLrgb, modeOkhsl, modeOklab, modeOklch, modeRgb, useMode } from "culori/fn";

for (const mode of [modeRgb, modeOklab, modeOklch, modeOkhsl]) useMode(mode);
const toLinear = useMode(modeLrgb);

/** How far outside 0–1 a part of a linear color may be through rounding, and in how many halvings chroma is reduced. */
const ROUNDING = 1e-7;
const HALVINGS = 20;

/**
 * Converts an OKLCH color (lightness 0–1, chroma, hue in degrees) to `#rrggbb`. Of a color that sRGB does not have, the
 * chroma is reduced until it has, as the agent does (1.5.2, `oklchToRgb` of pi-tui), so that the result is its own.
 */
export function oklchToHex(l: number, c: number, h: number): string {
  const withChroma = (chroma: number) => toLinear({ mode: "oklch", l, c: chroma, h });
  const wanted = withChroma(c);
  if (isInGamut(wanted)) return formatHex(wanted);
  let color = withChroma(0);
  let [low, high] = [0, c];
  for (let halving = 0; halving < HALVINGS; halving++) {
    const chroma = (low + high) / 2;
    const candidate = withChroma(chroma);
    if (isInGamut(candidate)) [low, color] = [chroma, candidate];
    else high = chroma;
  }
  return formatHex(color);
}

/**
 * Converts an OKHSL color (hue in degrees, saturation and lightness 0–1) to `#rrggbb`. The agent's constants have more
 * digits: of 1,000 colors one differs from the agent's, by 1 in one of its parts.
 */
export function okhslToHex(h: number, s: number, l: number): string {
  return formatHex({ mode: "okhsl", h, s, l });
}

function isInGamut({ r, g, b }: Lrgb): boolean {
  return [r, g, b].every((part) => part >= -ROUNDING && part <= 1 + ROUNDING);
}
