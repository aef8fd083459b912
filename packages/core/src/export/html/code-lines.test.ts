import { describe, expect, it } from "vitest";
import { linesOfCode, markedCode } from "./code-lines.ts";

describe("linesOfCode", () => {
  it.each([
    ["", [""]],
    ["a\nb", ["a", "b"]],
    [
      '<span class="c">/* a\n\nb */</span> c',
      ['<span class="c">/* a</span>', '<span class="c"></span>', '<span class="c">b */</span> c'],
    ],
    [
      '<span class="a"><span class="b">x\ny</span></span>',
      ['<span class="a"><span class="b">x</span></span>', '<span class="a"><span class="b">y</span></span>'],
    ],
  ])("%j", (html, lines) => {
    expect(linesOfCode(html)).toEqual(lines);
  });
});

describe("markedCode", () => {
  it.each([
    ["abc", 1, 2, "a<em>b</em>c"],
    ["abc", 0, 3, "<em>abc</em>"],
    ["abc", 1, 1, "abc"],
    ["a&lt;b", 1, 2, "a<em>&lt;</em>b"],
    ['a<span class="s">bc</span>d', 0, 2, '<em>a</em><span class="s"><em>b</em>c</span>d'],
  ])("%j from %i to %i", (html, start, end, marked) => {
    expect(markedCode(html, start, end)).toBe(marked);
  });
});
