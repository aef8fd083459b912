import { describe, expect, it } from "vitest";
import { readTheme } from "./theme.ts";

const theme = { path: "/themes/sea.json", name: "sea", base: "dark", colors: { ink: "#ffffff", paper: "#101820" } };

describe("the theme that is stored", () => {
  it.each([["light"], ["dark"], ["system"], [theme]])("is read: %j", (stored) => {
    expect(readTheme(stored)).toEqual(stored);
  });

  it.each([[null], [7], ["sepia"], [[]], [{}], [{ ...theme, path: 7 }], [{ ...theme, colors: null }]])(
    "is that of the system where it is none: %j",
    (stored) => {
      expect(readTheme(stored)).toBe("system");
    },
  );

  it("has only colours of the page, and of those only colours", () => {
    const colors = {
      ink: "#ffffff",
      paper: "url(//example.com)",
      muted: "#fff",
      faint: "#000000; color: red",
      accent: 7,
      "ink;color": "#ffffff",
      hover: "#ffffff",
      constructor: "#ffffff",
    };
    expect(readTheme({ ...theme, base: "sepia", colors })).toEqual({
      path: theme.path,
      name: theme.name,
      base: "dark",
      colors: { ink: "#ffffff" },
    });
  });
});
