import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { pageBudget } from "./budget.ts";
import { codeBlock, highlightCode } from "./code.ts";
import { escapeHtml } from "./escape.ts";
import { checkedText } from "./fragment-check.fixture.ts";
import { hljs, languageNamed, languageOfPath } from "./languages.ts";

describe("languages", () => {
  it.each([
    ["ts", "TypeScript"],
    ["TSX", "TypeScript"],
    ["python", "Python"],
    ["c++", "C++"],
    ["dockerfile", "Dockerfile"],
    ["jsonl", "JSON"],
    ["", undefined],
    ["constructor", undefined],
    ["__proto__", undefined],
    ["x".repeat(1000), undefined],
  ])("%s is %s", (name, language) => {
    expect(hljs.getLanguage(languageNamed(name) ?? "")?.name).toBe(language);
  });

  it.each([
    ["src/a.test.ts", "TypeScript"],
    ["C:\\src\\main.RS", "Rust"],
    ["Makefile", "Makefile"],
    ["docker/Dockerfile", "Dockerfile"],
    ["CMakeLists.txt", "CMake"],
    ["/home/me/.bashrc", "Bash"],
    ["App.vue", "HTML, XML"],
    ["notes.unknown", undefined],
    ["dir.ts/file", undefined],
    ["", undefined],
  ])("%s is %s", (path, language) => {
    expect(hljs.getLanguage(languageOfPath(path) ?? "")?.name).toBe(language);
  });
});

describe("highlighting", () => {
  it("marks what the words are", () => {
    const html = highlightCode('const a = "<b>"; // 1', "ts", pageBudget()).html;
    expect(html).toContain('<span class="hljs-keyword">const</span>');
    expect(html).toContain('<span class="hljs-string">&quot;&lt;b&gt;&quot;</span>');
  });

  it("shows what would be invisible", () => {
    expect(checkedText(highlightCode("a\u202eb", "ts", pageBudget()).html)).toBe("a⟦U+202E⟧b");
  });

  const LONG = `${"const value = [1, 2, 3];\n".repeat(600)}/*\n${"text of a comment\n".repeat(300)}*/\nlet last = 1;\n`;

  it("reads long code in windows that end where the whole would", () => {
    const whole = hljs.highlight(LONG, { language: "ts", ignoreIllegals: true }).value;
    expect(highlightCode(LONG, "ts", pageBudget())).toEqual({ html: whole, isComplete: true });
  });

  it.each([
    ["no language", "let a", null],
    ["a line that nobody reads", `let a = "${"x".repeat(2000)}"`, "ts"],
    ["a whole library", "let a;\n".repeat(100_000), "ts"],
  ])("leaves %s as it is", (_, code, language) => {
    const budget = pageBudget();
    expect(highlightCode(code, language, budget)).toEqual({ html: escapeHtml(code), isComplete: false });
    expect(budget).toEqual(pageBudget());
  });

  it("gives up where a comment does not end", () => {
    const code = `let a;\n/*${"comment\n".repeat(10_000)}`;
    const budget = pageBudget();
    const { html, isComplete } = highlightCode(code, "ts", budget);
    expect(checkedText(html)).toBe(code);
    expect(isComplete).toBe(false);
    expect(pageBudget().highlighting - budget.highlighting).toBeLessThan(100_000);
  });

  it("ends with the work that a page may make", () => {
    const code = "let a;\n".repeat(1000);
    const budget = { ...pageBudget(), highlighting: 2.5 * code.length };
    const complete = Array.from({ length: 3 }, () => highlightCode(code, "ts", budget).isComplete);
    expect(complete).toEqual([true, true, false]);
  });

  it("changes no text, in any language", () => {
    const code = fc.string({ unit: fc.constantFrom(..."ab0 \n\t\"'`<>&{}()[]/*\\#$@=-:;,.|~^%!?") });
    fc.assert(
      fc.property(code, fc.constantFrom(...hljs.listLanguages()), (text, language) => {
        expect(checkedText(highlightCode(text, language, pageBudget()).html)).toBe(text);
      }),
    );
  });
});

it("puts code into a block with its language", () => {
  const html = codeBlock("\nlet a;", "ts", pageBudget());
  expect(html).toMatch(/^<div class="code"><span class="code-language">ts<\/span><pre tabindex="0"><code>/);
  expect(checkedText(html)).toBe("ts\nlet a;");
});

it("says that code is not highlighted", () => {
  expect(codeBlock("x".repeat(2000), "ts", pageBudget())).toContain("ts, not highlighted");
  expect(codeBlock("x".repeat(2000), null, pageBudget())).not.toContain("not highlighted");
});
