import { expect, it } from "vitest";
import { codeHtml } from "./code-html.ts";

it("escapes what it shows", () => {
  expect(codeHtml("<b>\u202e")).toBe("&lt;b&gt;⟦U+202E⟧");
});
