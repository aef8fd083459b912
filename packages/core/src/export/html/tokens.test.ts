import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

const style = readFileSync(new URL("page/tokens.css", import.meta.url), "utf8");
const colours = new Map(
  [...style.matchAll(/--([a-z-]+): light-dark\((#\w{6}), (#\w{6})\)/g)].map(([, name = "", light = "", dark = ""]) => [
    name,
    { light, dark },
  ]),
);

/** By name, the colours that text has, and the backgrounds that it is put on. */
const BACKGROUNDS = ["paper", "sunken", "raised", "accent-soft"];
const TEXTS = [...colours.keys()].filter((name) =>
  /^(?:ink|accent$|muted|faint|warning|danger|added$|removed$|code-|ansi-)/.test(name),
);
const PAIRS = [
  ...TEXTS.flatMap((text) => BACKGROUNDS.map((background) => [text, background] as const)),
  ["added", "added-soft"] as const,
  ["removed", "removed-soft"] as const,
];

describe("text colours", () => {
  it("are all known", () => {
    expect(TEXTS.length).toBe(4 + 4 + 8 + 16);
  });

  it.each(["light", "dark"] as const)("have a contrast of 4.5:1 at least: %s", (scheme) => {
    const faint = PAIRS.flatMap(([text, background]) => {
      const ratio = contrast(colours.get(text)?.[scheme] ?? "", colours.get(background)?.[scheme] ?? "");
      return ratio >= 4.5 ? [] : [`${text} on ${background}: ${ratio.toFixed(2)}`];
    });
    expect(faint).toEqual([]);
  });
});

/** Contrast as WCAG 2.2 defines it. */
function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
