import { describe, expect, it } from "vitest";
import { pageBudget } from "./budget.ts";
import { computedDiff, highlightedDiff, recordedDiff } from "./diff.ts";
import { checkedText } from "./fragment-check.fixture.ts";

function lines(html: string): string[] {
  checkedText(html);
  return html.match(/<(ins|del|span|i)>.*?\n<\/\1>/gs) ?? [];
}

describe("recordedDiff", () => {
  it("reads the diff of the agent, with its line numbers", () => {
    const { html, added, removed } = recordedDiff("   9 a\n- 10 <b>\n+ 10 B\n+ 11 \n     ...\n  20 z");
    expect(lines(html)).toEqual([
      "<span><b>  9 </b>  a\n</span>",
      "<del><b> 10 </b>- &lt;b&gt;\n</del>",
      "<ins><b> 10 </b>+ B\n</ins>",
      "<ins><b> 11 </b>+ \n</ins>",
      "<i>     ...\n</i>",
      "<span><b> 20 </b>  z\n</span>",
    ]);
    expect({ added, removed }).toEqual({ added: 2, removed: 1 });
  });

  it("reads a unified diff", () => {
    const { html, added, removed } = recordedDiff("--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n a\n-1 b\n+1 c\n+d\n");
    expect(lines(html)).toEqual([
      "<span>  --- a/x\n</span>",
      "<span>  +++ b/x\n</span>",
      "<i>@@ -1,2 +1,2 @@\n</i>",
      "<span>  a\n</span>",
      "<del>- 1 b\n</del>",
      "<ins>+ 1 c\n</ins>",
      "<ins>+ d\n</ins>",
    ]);
    expect({ added, removed }).toEqual({ added: 2, removed: 1 });
  });

  it("shows a long diff as plain text, and all of it", () => {
    const diff = "+1 line\n".repeat(100_000);
    const { html, added } = recordedDiff(diff);
    expect(html).not.toContain("<ins>");
    expect(checkedText(html)).toBe(diff);
    expect(added).toBe(100_000);
  });
});

describe("highlightedDiff", () => {
  it("shows the colours of the code, and what has changed in its lines", () => {
    const { lines: known } = recordedDiff("--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n /*\n-  one 1;\n+  one 2;\n */\n");
    const html = highlightedDiff(known ?? [], (code) => `<span class="hljs-comment">${code}</span>`);
    const commented = (code: string) => `<span class="hljs-comment">${code}</span>`;
    expect(lines(html).slice(3)).toEqual([
      `<span>  ${commented("/*")}\n</span>`,
      `<del>- ${commented("  one <em>1</em>;")}\n</del>`,
      `<ins>+ ${commented("  one <em>2</em>;")}\n</ins>`,
      `<span>  ${commented("*/")}\n</span>`,
    ]);
    expect(html).toContain("<span>  --- a/x\n</span>");
  });
});

describe("computedDiff", () => {
  it("marks what has changed in a line", () => {
    const { html } = computedDiff("const a = 1;\nb\n", "const a = 2;\nb\n", pageBudget());
    expect(lines(html).slice(0, 2)).toEqual([
      "<del>- const a = <em>1</em>;\n</del>",
      "<ins>+ const a = <em>2</em>;\n</ins>",
    ]);
  });

  it.each([
    ["a\nb\nc", "a\nB\nc", ["  a", "- b", "+ B", "  c"]],
    ["a", "a\nb", ["  a", "+ b"]],
    ["", "a\n", ["+ a"]],
    ["a\n", "", ["- a"]],
    ["a\n\nb", "a\nb", ["  a", "- ", "  b"]],
    ["", "", []],
  ])("%j to %j", (before, after, expected) => {
    const { html } = computedDiff(before, after, pageBudget());
    expect(lines(html).map((line) => checkedText(line).replace(/\n$/, ""))).toEqual(expected);
  });

  it("does not look for what two texts have in common when it is little", () => {
    const text = (name: string) => Array.from({ length: 3000 }, (_, at) => `${name} ${at}\nsame\n`).join("");
    expect(computedDiff(text("a"), text("b"), pageBudget())).toMatchObject({ added: 6000, removed: 6000 });
  });

  it("does not look for it when the page has had its work", () => {
    const budget = { ...pageBudget(), diffSteps: 20 };
    const diffs = Array.from({ length: 3 }, () => computedDiff("a\nb", "a\n", budget).added);
    expect(diffs).toEqual([0, 0, 1]);
  });
});
