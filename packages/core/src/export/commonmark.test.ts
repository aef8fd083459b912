import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { blockQuote, fence, plainLine, prose } from "./commonmark.ts";

/** Reads the one fenced code block that a text consists of, as the CommonMark specification says. */
function readFence(markdown: string): string | null {
  const lines = markdown.split("\n");
  const marker = /^`{3,}/.exec(lines[0] ?? "")?.[0];
  if (marker === undefined) return null;
  // A lone CR ends a line too, so a fence after one must not close the block either.
  const closes = (line: string) => new RegExp(`^ {0,3}\`{${marker.length},}[ \\t]*$`).test(line);
  const end = lines.findIndex((line, at) => at > 0 && line.split("\r").some(closes));
  return end === lines.length - 1 ? lines.slice(1, end).join("\n") : null;
}

const hostile = fc
  .array(
    fc
      .constantFrom(
        "`",
        "```",
        "````",
        "~~~",
        "\n",
        "\r",
        "\r\n",
        " ",
        "    ",
        "\t",
        "- ",
        "> ",
        "# User",
        "===",
        "---",
      )
      .chain((piece) => fc.oneof(fc.constant(piece), fc.string({ unit: "binary", maxLength: 4 }))),
    { maxLength: 30 },
  )
  .map((pieces) => pieces.join(""));

describe("fence", () => {
  it.each([
    ["plain", "text", "```\ntext\n```"],
    ["empty", "", "```\n\n```"],
    ["a fence inside", "```js\nx\n```", "````\n```js\nx\n```\n````"],
    ["a longer fence inside", "`````", "``````\n`````\n``````"],
    ["short runs of backticks", "`a` ``b``", "```\n`a` ``b``\n```"],
  ])("holds %s", (_, text, expected) => {
    expect(fence(text)).toBe(expected);
  });

  it("gives back any text unchanged", () => {
    fc.assert(
      fc.property(hostile, (text) => {
        expect(readFence(fence(text, "text"))).toBe(text);
      }),
    );
  });
});

describe("blockQuote", () => {
  it("marks every line, and no line that is none to CommonMark", () => {
    expect(blockQuote("a\n\nb\u2028c")).toBe("> a\n>\n> b\u2028c");
  });
});

describe("plainLine", () => {
  it.each([
    ["renamed-session_1 (v2.0)", "renamed-session_1 (v2.0)"],
    ["/home/me/src/get_user_name.ts", "/home/me/src/get_user_name.ts"],
    ["C:\\Users\\me", "C:\\Users\\me"],
    ["修复 登录", "修复 登录"],
    ["a < b & c", "a < b & c"],
    ["two\nlines\r\n\u2028three", "two lines three"],
    ["# Not a heading", "# Not a heading"],
    ["C# and F #", "C# and F \\#"],
    ["#", "\\#"],
    ["__init__.py", "\\_\\_init\\_\\_.py"],
    ["`code` *bold* [link](javascript:alert(1))", "\\`code\\` \\*bold\\* \\[link](javascript:alert(1))"],
    ["<script>alert(1)</script>", "\\<script>alert(1)\\</script>"],
    ["&lt;b&gt; &#60;", "\\&lt;b\\&gt; \\&#60;"],
    ["\\*", "\\\\\\*"],
    ["ends with \\", "ends with \\\\"],
    ["invoice\u202Efdp.exe\u0000\u001b[1m", "invoice⟦U+202E⟧fdp.exe␀␛\\[1m"],
    ["ad\u200bmin\u00ad.", "ad⟦U+200B⟧min⟦U+00AD⟧."],
  ])("writes %j", (text, expected) => {
    expect(plainLine(text)).toBe(expected);
  });

  it("is one line of bounded length, whatever comes", () => {
    fc.assert(
      fc.property(hostile, (text) => {
        expect(plainLine(text)).not.toMatch(/[\n\r]/);
      }),
    );
    expect(plainLine("a".repeat(100_000))).toHaveLength(1_000);
  });
});

describe("prose", () => {
  it.each([
    ["plain Markdown", "A *b* `c`\n\n- d\n- e", "A *b* `c`\n\n- d\n- e"],
    ["nothing", "", ""],
    ["blank lines around", "\n \n  a\n\n", "  a"],
    ["only blank lines", " \n\t\n", ""],
    ["other line ends", "a\r\nb\rc", "a\nb\nc"],
    ["a heading", "# User\n## B ##\n###### C", "#### User\n##### B ##\n###### C"],
    ["no heading", "#hashtag\n    # comment", "#hashtag\n    # comment"],
    ["an underlined heading", "User\n===", "User\n\\==="],
    ["a paragraph before a rule", "User\n---", "User\n\n---"],
    ["a rule", "a\n\n---\n\nb", "a\n\n---\n\nb"],
    ["an underline after what only looks blank", "\u00a0\n===", "\u00a0\n\\==="],
    ["HTML", "<script>x</script>\n<!-- a --> </details>", "\\<script>x\\</script>\n\\<!-- a --> \\</details>"],
    [
      "an image, as a link",
      "![a](https://example.org/a.png) ![b][c] \\![d](e) !e `![f](g)`",
      "\\![a](https://example.org/a.png) \\![b][c] \\![d]\\(e) !e `![f](g)`",
    ],
    ["comparisons", "a < b, 1<2, <- x", "a < b, 1<2, <- x"],
    ["HTML in a code span", "`Array<T>` and ``a ` <b>``", "`Array<T>` and ``a ` <b>``"],
    ["a code span over two lines", "a ` b\nc `<script>` d", "a \\` b\nc `<script>` d"],
    ["a code span that does not end", "`<b>", "\\`\\<b>"],
    ["escaped characters", "\\`<b> \\<i> \\\\<u>", "\\`\\<b> \\<i> \\\\\\<u>"],
    ["a link in angles", "<https://example.org> <https://a<b>", "<https://example.org> \\<https://a\\<b>"],
    ["a placeholder", "[redacted:a-1]: b `[redacted:a-1]` [c](d)", "\\[redacted:a-1]\\: b `[redacted:a-1]` [c]\\(d)"],
    [
      "links to the Web",
      "[a](https://b) [c](<http://d> 'e') [f]( mailto:g@h)",
      "[a](https://b) [c](<http://d> 'e') [f]( mailto:g@h)",
    ],
    [
      "links to elsewhere as text",
      "[a](javascript:b) [c](/etc/passwd) [d](",
      "[a]\\(javascript:b) [c]\\(/etc/passwd) [d]\\(",
    ],
    [
      "definitions",
      "[a]: https://b\n[c]: <data:d>\n[e]:\nfile:///f",
      "[a]: https://b\n[c]\\: \\<data:d>\n[e]\\:\nfile:///f",
    ],
    [
      "what turns the direction",
      "a\u202eb &#x202E; &#8238; &#x41; `&#x202e;`",
      "a⟦U+202E⟧b \\&#x202E; \\&#8238; &#x41; `&#x202e;`",
    ],
    ["a code span that a cell would end", "|a|b|\n|-|-|\n|`c|d`|`e\\|f`|", "|a|b|\n|-|-|\n|\\`c|d\\`|`e\\|f`|"],
    ["a code span with a pipe, where no table is", "`a|b`", "`a|b`"],
    ["a fence", "```ts\na<b>\n```\n<b>", "```ts\na<b>\n```\n\\<b>"],
    ["a fence that does not end", "```\n<b>\n# User", "```\n<b>\n# User\n```"],
    ["a fence of tildes", "~~~ a`b\n```\n<b>\n~~~~", "````ab\n```\n<b>\n````"],
    ["a fence with a separator that ends no line", "~~~ a\u2028b\n<b>", "```a\u2028b\n<b>\n```"],
    ["a fence closed by a longer one only", "````\n```\n````", "````\n```\n````"],
    [
      "a fence in a list",
      "1. a\n   ```sh\n   b\n     c\n\n   ```\n   d",
      "1. a\n   ```sh\n   b\n     c\n\n   ```\n   d",
    ],
    ["a fence deep in a list", "- a\n  - b\n    ```\n    c\n    ```", "- a\n  - b\n   ```\n   c\n   ```"],
    ["a fence beside a list mark", "- ```\n  <b>\n> ~~~", "- \\`\\`\\`\n  \\<b>\n> \\~\\~\\~"],
    ["an indented line like a fence", "```\n    ```\n```", "````\n    ```\n````"],
  ])("keeps %s in its place", (_, markdown, expected) => {
    expect(prose(markdown)).toBe(expected);
  });

  it("takes time in proportion to a line that is made to be slow", () => {
    const slow = ["` `` ", "\\`", "~ ", "   ", "<https://"].map((piece) => piece.repeat(200_000));
    slow.push(Array.from({ length: 1_200 }, (_, length) => "`".repeat(length)).join(" "));
    for (const line of slow) expect(prose(`${line}x`).length).toBeGreaterThan(line.length / 2);
  });
});
