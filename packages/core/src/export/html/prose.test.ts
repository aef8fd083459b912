import { describe, expect, it } from "vitest";
import { pageBudget } from "./budget.ts";
import { checkedText } from "./fragment-check.fixture.ts";
import { proseHtml } from "./prose.ts";

function prose(markdown: string): string {
  const html = proseHtml(markdown, "answer", pageBudget());
  checkedText(html);
  return html.replace('<div class="prose" dir="auto">', "").replace(/<\/div>$/, "");
}

describe("links", () => {
  it.each([
    ["[x](https://a.b/c)", 'href="https://a.b/c"'],
    ["<http://a.b>", 'href="http://a.b"'],
    ["see https://a.b/c.", 'href="https://a.b/c"'],
    ["[x](mailto:a@b.c)", 'href="mailto:a@b.c"'],
    ["[x][r]\n\n[r]: HTTPS://a.b", 'href="HTTPS://a.b"'],
  ])("%s is one", (markdown, expected) => {
    expect(prose(markdown)).toContain(`${expected} rel="noopener noreferrer nofollow"`);
  });

  it.each([
    "[x](javascript:alert(1))",
    "[x](JaVaScRiPt:alert(1))",
    "[x](java&#x73;cript:alert(1))",
    "[x](java\\script:alert(1))",
    "[x](java%73cript:alert(1))",
    "[x](<java\tscript:alert(1)>)",
    "[x](\u0001javascript:alert(1))",
    "<javascript:alert(1)>",
    "[x][r]\n\n[r]: javascript:alert(1)",
    "[x](vbscript:x)",
    "[x](file:///etc/passwd)",
    "[x](data:text/html,<script>alert(1)</script>)",
    "[x](data:image/svg+xml;base64,PHN2Zz4=)",
    "[x](//a.b/c)",
    "[x](src/main.ts)",
    "[x](#run-1)",
    "[x](blob:https://a.b/c)",
    "![x](javascript:alert(1))",
    "![x](src/image.png)",
    "README.md run.sh a@b.md www.example",
  ])("%s is none", (markdown) => {
    expect(prose(markdown)).not.toMatch(/<a |<img /);
  });

  it("says where a link would have gone", () => {
    expect(checkedText(prose("[here](../a/b.ts)"))).toBe("here (../a/b.ts)\n");
    expect(checkedText(prose("<src:a>"))).toBe("src:a\n");
  });
});

describe("images", () => {
  it("from elsewhere are links", () => {
    const html = prose("![A chart](https://a.b/c.png)");
    expect(html).toContain('<a class="remote-image" href="https://a.b/c.png"');
    expect(checkedText(html)).toContain("Image: A chart (https://a.b/c.png)");
  });

  it("stand in the page where they are data", () => {
    expect(prose("![x](data:image/png;base64,AAAA)")).toContain('src="data:image/png;base64,AAAA"');
    expect(checkedText(prose("![x](data:image/svg+xml;base64,AAAA)"))).toContain("not shown");
  });

  it("in a link are its text", () => {
    const html = prose("[![Build](https://a.b/badge.svg)](https://a.b/build)");
    expect(html.match(/<a /g)).toHaveLength(1);
    expect(checkedText(html)).toBe("Image: Build\n");
  });
});

describe("headings", () => {
  it.each([
    ["# a\n## b\n### c\n#### d", "h4 h5 h6 h6"],
    ["### a\n# b\n## c", "h4 h4 h5"],
    ["## a\n#### b\n### c\n## d", "h4 h5 h5 h4"],
    ["a\n=\n\n> ## b\n\n- # c", "h4 h5 h4"],
  ])("%j skip no level", (markdown, levels) => {
    expect([...prose(markdown).matchAll(/<(h\d)>/g)].map(([, level]) => level).join(" ")).toBe(levels);
  });
});

describe("blocks", () => {
  it.each([
    ["```ts\nlet a;\n```", '<span class="code-language">ts</span>'],
    ["~~~js {1}\nlet a;\n~~~", '<span class="code-language">js</span>'],
    ['```"><img src=x>\na\n```', '<div class="code"><pre tabindex="0"><code>a</code>'],
    ["    let a;", '<div class="code"><pre tabindex="0"><code>let a;</code>'],
    ["`a<\u200b`", "<code>a&lt;⟦U+200B⟧</code>"],
    ["~~a~~", "<s>a</s>"],
    ["- [ ] a\n- [x] b", '<li class="task">☐ a</li>\n<li class="task">☑ b</li>'],
    ["- [ ](https://a.b)", '<li><a href="https://a.b"'],
    ["|a|\n|-:|\n|1|", '<th class="align-right">a</th>'],
    ["|a|\n|-|\n|1|", '<div class="table-scroll" role="group" aria-label="Table" tabindex="0"><table>'],
    ["<script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;"],
    ["<!-- a -->", "&lt;!-- a --&gt;"],
    ["a \u202eb", "a ⟦U+202E⟧b"],
    ["&lt;b&gt; &#x202e;", "&lt;b&gt; ⟦U+202E⟧"],
    ['[x](https://a.b "&#x202e;")', 'title="⟦U+202E⟧"'],
  ])("%j", (markdown, expected) => {
    expect(prose(markdown)).toContain(expected);
  });

  it("shows nothing for nothing", () => {
    expect(prose(" \n\t\n")).toBe("");
  });

  it.each([
    ["long", "word ".repeat(200_000)],
    ["long line", "x".repeat(1_000_000)],
    ["quotes in quotes", `${">".repeat(100_000)} deep`],
    ["lists in lists", Array.from({ length: 120 }, (_, depth) => `${"  ".repeat(depth)}- a`).join("\n")],
  ])("shows all of a text that is not formatted: %s", (_, markdown) => {
    const html = prose(markdown);
    expect(html).toMatch(/^<details class="plain"><summary>/);
    expect(checkedText(html)).toContain(markdown);
  });
});
