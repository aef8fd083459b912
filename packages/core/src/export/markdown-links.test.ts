import fc from "fast-check";
import markdownIt from "markdown-it";
import { micromark } from "micromark";
import { describe, expect, it } from "vitest";
import { prose } from "./commonmark.ts";

const withTables = markdownIt({ html: true });
// What the library itself would refuse is what is looked for.
withTables.validateLink = () => true;

const READERS = {
  CommonMark: (markdown: string) => micromark(markdown, { allowDangerousProtocol: true, allowDangerousHtml: true }),
  "GitHub's tables": (markdown: string) => withTables.render(markdown),
};

/** Addresses of links and images that somebody could follow. */
function addresses(html: string): string[] {
  return [...html.matchAll(/(?:href|src)="([^"]*)"/g)].map(([, address = ""]) => address);
}

const LINKABLE = /^(?:https?:\/\/|mailto:)/i;

const ATTACKS = [
  "[a](javascript:alert(1))",
  "[a](JaVaScRiPt:alert(1))",
  "[a](<javascript:alert(1)>)",
  "[a](\tjavascript:alert(1))",
  "[a](\njavascript:alert(1))",
  "[a](javascript&colon;alert(1))",
  "[a](&#106;avascript:alert(1))",
  "[a](&#x6A&#x61;vascript:alert(1))",
  "[a](java&Tab;script:alert(1))",
  "[a](javascript\\:alert(1))",
  "[a](<java\u0001script:alert(1)>)",
  "[a](\u0001javascript:alert(1))",
  "[a](data:text/html;base64,PHNjcmlwdD4=)",
  "[a](file:///etc/passwd)",
  "[a](vbscript:x)",
  "[a](//evil.example)",
  "[a](../../.ssh/id_rsa)",
  "[a](\\\\evil\\share)",
  "![a](data:image/svg+xml,<svg>)",
  "[![a](https://b)](javascript:alert(1))",
  "[`a`](javascript:alert(1))",
  "[a][b]\n\n[b]: javascript:alert(1)",
  "[b]\n\n[b]:\n  javascript:alert(1)\n  'title'",
  "[b][]\n\n> - [b]: <javascript:alert(1)>",
  "[b\nc]\n\n[b\nc]: data:x",
  "[`]\n\n[`]: javascript:alert(1) '`'",
  "[^1]\n\n[^1]: javascript:alert(1)",
  "<javascript:alert(1)>",
  "<data:text/html,x>",
  "<file:///etc/passwd>",
  "<a href='javascript:alert(1)'>a</a>",
  "| a | b |\n|---|---|\n| `x | [a](javascript:alert(1))` |",
  "| a | b | c |\n|---|---|---|\n| `a | b` c ` [x](javascript:alert(1)) ` |",
  "| a | b |\n|---|---|\n| <https://x|[a](javascript:alert(1))> |",
  "> |a|b|\n> |-|-|\n> |`|[a](javascript:alert(1))`|",
  "a\\\\[b](javascript:alert(1))",
  "\\[a\\]\\(javascript:b) [c\\](d) [e](javascript:f)",
];

describe.each(Object.entries(READERS))("to a reader of %s", (_, render) => {
  it.each(ATTACKS)("%j is a link as it stands, or another reader's, and none as prose", (attack) => {
    expect(addresses(render(prose(attack))).filter((address) => !LINKABLE.test(address))).toEqual([]);
  });

  it.each([
    ["[a](https://b.example/c_(d) 'e')", ["https://b.example/c_(d)"]],
    ["[a](<HTTP://b.example>)", ["HTTP://b.example"]],
    ["[a](mailto:b@c.example)", ["mailto:b@c.example"]],
    ["[a][b]\n\n[b]: https://c.example", ["https://c.example"]],
    ["<https://b.example>", ["https://b.example"]],
    ["![a](https://b.example/c.png)", ["https://b.example/c.png"]],
    ["|a|b|\n|-|-|\n|[c](https://d.example)|e|", ["https://d.example"]],
  ])("%j stays a link", (markdown, links) => {
    expect(addresses(render(prose(markdown)))).toEqual(links);
  });

  const PIECES = [
    ...["[", "]", "(", ")", "<", ">", ":", "!", "`", "``", "\\", "|", "\n", "\n\n", " ", "\t", "    ", "- ", "> "],
    ...[
      "a",
      "javascript:b",
      "data:c",
      "https://d",
      "mailto:e",
      "&colon;",
      "&#58;",
      "'",
      '"',
      "[a]",
      "](",
      "]: ",
      "][",
      "[^1]",
    ],
    ...["|a|b|\n|-|-|\n|", "|-|-|", "***", "<!--", "```", "~~~", "\u200b"],
  ];

  it("no text whatever has another link", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...PIECES), { maxLength: 24 }), (pieces) => {
        const written = render(prose(pieces.join("")));
        expect(addresses(written).filter((address) => !LINKABLE.test(address))).toEqual([]);
      }),
      { numRuns: 1_000 },
    );
  });
});
