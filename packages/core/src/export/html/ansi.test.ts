import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ansiHtml } from "./ansi.ts";
import { checkedText } from "./fragment-check.fixture.ts";

const ESC = "\x1b";

describe("ansiHtml", () => {
  it.each([
    ["no colours", "a <b>", "a &lt;b&gt;"],
    ["a colour", `${ESC}[31mred${ESC}[0m plain`, '<span class="ansi-red">red</span> plain'],
    ["reset without a number", `${ESC}[1mbold${ESC}[m plain`, '<span class="ansi-bold">bold</span> plain'],
    ["a bright one", `${ESC}[92mx`, '<span class="ansi-bright-green">x</span>'],
    ["backgrounds", `${ESC}[30;43;1mx`, '<span class="ansi-black ansi-bold ansi-bg-yellow">x</span>'],
    ["a bright background", `${ESC}[107mx`, '<span class="ansi-bg-bright-white">x</span>'],
    ["ends of marks", `${ESC}[1;2;3;4;7;9mx${ESC}[22;23;24;27;29my`, /x<\/span>y$/],
    ["ends of colours", `${ESC}[31;42mx${ESC}[39;49my`, /x<\/span>y$/],
    ["the palette's names", `${ESC}[38;5;9mx`, '<span class="ansi-bright-red">x</span>'],
    ["its cube", `${ESC}[38;5;196mx`, '<span class="ansi-bright-red">x</span>'],
    ["its greys", `${ESC}[48;5;244mx`, '<span class="ansi-bg-bright-black">x</span>'],
    ["true colours", `${ESC}[38;2;0;200;10mx`, '<span class="ansi-green">x</span>'],
    ["with colons", `${ESC}[38:2::205:0:0mx`, '<span class="ansi-red">x</span>'],
    ["with colons and no colour space", `${ESC}[48:2:205:0:0;1mx`, '<span class="ansi-bold ansi-bg-red">x</span>'],
    ["variants of a mark", `${ESC}[4:3mx`, '<span class="ansi-underline">x</span>'],
    ["and what follows them", `${ESC}[38;5;1;4mx`, '<span class="ansi-red ansi-underline">x</span>'],
    ["one element for one look", `${ESC}[31ma${ESC}[31mb`, '<span class="ansi-red">ab</span>'],
    ["other commands", `a${ESC}[2K${ESC}[1;1Hb${ESC}[?25lc`, "abc"],
    ["titles and links", `${ESC}]0;title\x07a${ESC}]8;;https://x${ESC}\\b`, "ab"],
    ["a command that does not end", `${ESC}]0;title`, "␛]0;title"],
    ["what is none", `a${ESC}b${ESC}[`, "a␛b␛["],
    ["what is private", `${ESC}[?4mx${ESC}[>31my`, "xy"],
    ["numbers beyond all", `${ESC}[999;38;5;999;38;9mx`, "x"],
  ])("%s", (_, output, html) => {
    if (typeof html === "string") expect(ansiHtml(output)).toBe(html);
    else expect(ansiHtml(output)).toMatch(html);
  });

  it("drops the colours of a long output, not its text", () => {
    const output = `${ESC}[31ma${ESC}[32mb`.repeat(50_000);
    expect(ansiHtml(output)).toBe("ab".repeat(50_000));
  });

  it("makes harmless HTML of anything", () => {
    const piece = fc.oneof(
      fc.constantFrom(`${ESC}[`, ESC, "m", ";", "38;5;", "48;2;", "1", "31", "]", "\x07", "<b>", "&", '"'),
      fc.string({ unit: "binary", maxLength: 3 }),
    );
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        checkedText(ansiHtml(pieces.join("")));
      }),
    );
  });
});
