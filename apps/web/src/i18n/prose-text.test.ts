import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { markupIn, promptText, proseText } from "./prose-text.ts";

describe("proseText", () => {
  it.each([
    ["**Done.** The *tide* clock is __right__, ~~late~~", "Done. The tide clock is right, late"],
    ["# Plan ## Steps ### Third", "Plan Steps Third"],
    ["…end of it. ## Next", "…end of it. Next"],
    ["run `npm test` and ``a`b``", "run npm test and a`b"],
    ["```ts const a = 1; ``` then", " const a = 1;  then"],
    ["see [the guide](https://x.org/a) and ![a chart](b.png)", "see the guide and a chart"],
    ["> quoted > twice", "quoted > twice"],
    ["**`bold code`** and ***both***", "bold code and both"],
    ["…was bold** and **goes on…", "…was bold and goes on…"],
    ["It waits: | attempt | waits | |---|:--:| | 1 | `a | b` | | 2 | 5 s |", "It waits: attempt waits 1 a | b 2 5 s "],
    ["| attempt | waits | | --- | --…", "attempt waits …"],
    ["|---|---| | 1 | 2 |…", "1 2 …"],
    // What only looks like it.
    ["ls | wc -l, a || b, yes | no", "ls | wc -l, a || b, yes | no"],
    ["| a | b | --", "| a | b | --"],
    ["2 * 3 * 4, a*b*c, 2**8", "2 * 3 * 4, a*b*c, 2**8"],
    ["get_user_name and __dirname", "get_user_name and __dirname"],
    ["**kwargs and *args", "**kwargs and *args"],
    ["src/**/*.ts", "src/**/*.ts"],
    ["issue #12, C# code, ls # here", "issue #12, C# code, ls # here"],
    ["a `b", "a `b"],
    ["in `src/**/*.ts` and `**`", "in src/**/*.ts and **"],
    ["array[0](x y)", "array[0](x y)"],
    ["**中文**，`代码`", "中文，代码"],
    ["", ""],
  ])("%j reads %j", (text, shown) => {
    expect(proseText(text)).toBe(shown);
  });
});

it("promptText keeps the underscores of names", () => {
  expect(promptText("## Please **review** `__init__.py` and __main__")).toBe("Please review __init__.py and __main__");
});

it("markupIn gives ranges in order, apart, and only of signs and addresses", () => {
  const letter = fc.constantFrom(
    "*",
    "**",
    "_",
    "`",
    "```",
    "~~",
    "#",
    "[",
    "](",
    ")",
    " ",
    "a",
    "…",
    "> ",
    "|",
    "|--|",
    " | ",
  );
  fc.assert(
    fc.property(fc.array(letter, { maxLength: 40 }), (letters) => {
      const text = letters.join("");
      let last = 0;
      for (const [start, end] of markupIn(text)) {
        expect(start).toBeGreaterThanOrEqual(last);
        expect(end).toBeGreaterThan(start);
        last = end;
      }
      expect(last).toBeLessThanOrEqual(text.length);
    }),
  );
});
