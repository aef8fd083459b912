import { formatHex, type Lrgb, modeLrgb, modeOkhsl, modeOklab, modeOklch, modeRgb, useMode } from "culori/fn";

for (const mode of [modeRgb, modeOklab, modeOklch, modeOkhsl]) useMode(mode);
const toLinear = useMode(modeLrgb);

/** Tolerance for rounding of linear color components outside 0–1, and number of bisections to reduce chroma. */
const ROUNDING = 1e-7;
const HALVINGS = 20;

/**
 * Converts OKLCH (lightness 0–1, chroma, hue in degrees) to `#rrggbb`. Reduces the chroma of colors outside sRGB like
 * the agent (1.5.2, `oklchToRgb` of pi-tui).
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
 * Converts OKHSL (hue in degrees, saturation and lightness 0–1) to `#rrggbb`. The agent's constants have more digits: 1
 * of 1,000 colors differs, by 1 in one component.
 */
export function okhslToHex(h: number, s: number, l: number): string {
  return formatHex({ mode: "okhsl", h, s, l });
}

function isInGamut({ r, g, b }: Lrgb): boolean {
  return [r, g, b].every((part) => part >= -ROUNDING && part <= 1 + ROUNDING);
}
