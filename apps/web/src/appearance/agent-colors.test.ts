import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { pageTheme } from "./agent-colors.ts";
import { BLACK, contrast, type Rgb, readHex } from "./color.ts";

/** Of the agent's own two themes. */
const DARK = {
  accent: "#8abeb7",
  success: "#b5bd68",
  error: "#cc6666",
  warning: "#ffff00",
  muted: "#808080",
  dim: "#666666",
  text: "",
  selectedBg: "#3a3a4a",
  userMessageBg: "#343541",
  toolDiffAdded: "#b5bd68",
  toolDiffRemoved: "#cc6666",
  syntaxComment: "#6a9955",
  syntaxKeyword: "#569cd6",
};
const LIGHT = {
  accent: "#5a8080",
  muted: "#6c6c6c",
  dim: "#767676",
  text: "",
  selectedBg: "#d0d0e0",
  userMessageBg: "#e8e8e8",
  syntaxKeyword: "#0000ff",
};

const SURFACES = "canvas panel paper raised field sunken selected".split(" ");
const SOFT = "accent live danger warning added removed".split(" ");
const TEXTS =
  "ink muted faint accent live danger warning added removed code-keyword code-string code-number code-comment code-name code-type".split(
    " ",
  );

function colorOf(colors: Readonly<Record<string, string>>, name: string): Rgb {
  return readHex(colors[name] ?? "") ?? BLACK;
}

/** Pairs of text and surface whose contrast is too low. */
function unreadable(theme: Record<string, string>): string[] {
  const { colors } = pageTheme(theme);
  const surfaces = [...SURFACES, ...SOFT.map((name) => `${name}-soft`)];
  const pairs = surfaces.flatMap((surface) => TEXTS.map((text) => [text, surface] as const));
  const white = ["accent-fill", "danger-fill"].filter((fill) => contrast([251, 251, 253], colorOf(colors, fill)) < 4.5);
  const low = pairs.filter(([text, surface]) => contrast(colorOf(colors, text), colorOf(colors, surface)) < 4.5);
  return [...low.map((pair) => pair.join(" on ")), ...white];
}

describe("the colors of a theme of the agent", () => {
  it("are those of the page, where they can be read", () => {
    const dark = pageTheme(DARK);
    expect(dark.base).toBe("dark");
    expect(dark.colors).toMatchObject({
      accent: "#8abeb7",
      selected: "#3a3a4a",
      added: "#b5bd68",
      warning: "#ffff00",
      paper: "#24252e",
    });
    const light = pageTheme(LIGHT);
    expect(light.base).toBe("light");
    expect(light.colors).toMatchObject({ "code-keyword": "#0000ff" });
  });

  it("become the nearest tones that can be read", () => {
    // Grey on grey: 808080 has a contrast of 2.9 to the background of what the user says.
    const { colors } = pageTheme(DARK);
    expect(colors.muted).not.toBe(DARK.muted);
    const [red, green, blue] = colorOf(colors, "muted");
    expect([green, blue]).toEqual([red, red]);
    expect(red).toBeLessThan(0xd0);
    expect(unreadable(DARK)).toEqual([]);
    expect(unreadable(LIGHT)).toEqual([]);
  });

  it.each([
    ["one color for all", Object.fromEntries(Object.keys(DARK).map((name) => [name, "#777777"]))],
    ["none", {}],
    ["light text alone", { text: "#ffffff" }],
    ["dark text alone", { text: "#000000" }],
  ])("can be read: %s", (_, theme) => {
    expect(unreadable(theme)).toEqual([]);
  });

  it("can be read, whatever a theme says", () => {
    const color = fc.integer({ min: 0, max: 0xffffff }).map((number) => `#${number.toString(16).padStart(6, "0")}`);
    const names = Object.keys(DARK);
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...names), color), (theme) => {
        expect(unreadable(theme)).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });

  it("say whether the page is dark by the background, and else by the text", () => {
    expect(pageTheme({ userMessageBg: "#ffffff", text: "#ffffff" }).base).toBe("light");
    expect(pageTheme({ text: "#eeeeee" }).base).toBe("dark");
    expect(pageTheme({ text: "#111111" }).base).toBe("light");
  });

  it("are nothing but #rrggbb", () => {
    const hostile = ["red", "#fff", "url(//example.com)", "#000000;color:red", "#000000\n", "var(--ink)", "12"];
    const names = [...Object.keys(DARK), "__proto__", "constructor", "paper"];
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom(...names), fc.oneof(fc.constantFrom(...hostile), fc.string())),
        (theme) => {
          const { colors } = pageTheme(theme);
          expect(Object.values(colors).filter((value) => !/^#[\da-f]{6}$/.test(value))).toEqual([]);
          expect(Object.keys(colors)).toEqual(Object.keys(pageTheme({}).colors));
        },
      ),
      { numRuns: 100 },
    );
    for (const value of hostile) {
      expect(pageTheme({ userMessageBg: DARK.userMessageBg, accent: value })).toEqual(
        pageTheme({ userMessageBg: DARK.userMessageBg }),
      );
    }
  });
});
