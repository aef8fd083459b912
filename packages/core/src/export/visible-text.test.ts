import { describe, expect, it } from "vitest";
import { visibleCode, visibleText } from "./visible-text.ts";

describe("visibleText", () => {
  it.each([
    ["a\tb\r\nc", "a\tb\r\nc"],
    ["\0\x1b[31m\x7f", "␀␛[31m␡"],
    ["\x85", "⟦U+0085⟧"],
    ["exe\u202egpj.", "exe⟦U+202E⟧gpj."],
    ["\u2066x\u2069", "⟦U+2066⟧x⟦U+2069⟧"],
    ["\ud800x\udc00", "\ufffdx\ufffd"],
    ["שלום \u200f\u200eمرحبا می\u200cخواهم 👩\u200d👧", "שלום \u200f\u200eمرحبا می\u200cخواهم 👩\u200d👧"],
  ])("%j becomes %j", (text, shown) => {
    expect(visibleText(text)).toBe(shown);
  });
});

describe("visibleCode", () => {
  it.each([
    ["if (admin\u200b)", "if (admin⟦U+200B⟧)"],
    ["\ufeffx\u00ad\u200f\u3164\u2028", "⟦U+FEFF⟧x⟦U+00AD⟧⟦U+200F⟧⟦U+3164⟧⟦U+2028⟧"],
    ["\u{e0041}", "⟦U+E0041⟧"],
    ["❤\ufe0f 👩\u200d👧", "❤\ufe0f 👩\u200d👧"],
  ])("%j becomes %j", (text, shown) => {
    expect(visibleCode(text)).toBe(shown);
  });
});
