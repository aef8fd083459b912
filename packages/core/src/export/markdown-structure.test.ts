import fc from "fast-check";
import { parse, postprocess, preprocess } from "micromark";
import { describe, expect, it } from "vitest";
import { stringify } from "./document.ts";
import { exportMarkdown } from "./markdown.ts";
import { called, joined, NESTED, ran, returned, said, summarised, transcriptOf } from "./transcript.fixture.ts";

interface Structure {
  /** Of level 1 to 3, outside of lists and quotes. */
  headings: string[];
  html: string[];
  /** Texts of code blocks, wherever they stand. */
  code: string[];
}

/** What a parser of CommonMark finds. */
function structureOf(markdown: string): Structure {
  const found: Structure = { headings: [], html: [], code: [] };
  let containers = 0;
  /** Where the text of the block begins. */
  let code: number | null = null;
  for (const [when, token, context] of postprocess(
    parse()
      .document()
      .write(preprocess()(markdown, undefined, true)),
  )) {
    const source = () => context.sliceSerialize(token);
    const step = when === "enter" ? 1 : -1;
    if (token.type === "blockQuote" || token.type === "listOrdered" || token.type === "listUnordered") {
      containers += step;
    } else if (token.type === "codeFencedFence" && when === "exit" && code === null) {
      code = token.end.offset + 1;
    } else if (token.type === "codeFencedFence" && when === "enter" && code !== null) {
      found.code.push(markdown.slice(code, token.start.offset - 1));
    } else if (token.type === "codeFenced") {
      code = null;
    } else if (when === "exit") {
    } else if (token.type === "htmlFlow" || token.type === "htmlText") {
      found.html.push(source());
    } else if (token.type === "setextHeading" && containers === 0) {
      found.headings.push(source());
    } else if (token.type === "atxHeading" && containers === 0 && /^ {0,3}#{1,3}(?!#)/.test(source())) {
      found.headings.push(source().replace(/(?<=^# Session:|^### Tool Call:).*/s, ""));
    }
  }
  return found;
}

const PIECES = [
  "`",
  "```",
  "````",
  "~~~",
  "<script>",
  "</details>",
  "<details>",
  "<!--",
  "<?",
  "<![CDATA[",
  "\n",
  "\n\n",
  " ",
  "    ",
  "\t",
  "- ",
  "> ",
  "1. ",
  "a",
  "# Session: x",
  "## User",
  "===",
  "---",
  "\\",
  "\r",
  "\u2028",
  "\u00a0",
  "&lt;",
  "[a]: <b",
  "](",
];
const text = fc.array(fc.constantFrom(...PIECES), { maxLength: 12 }).map((pieces) => pieces.join(""));

const OPENED = (summary: string) => `<details><summary>${summary}</summary>`;

describe("a Markdown export, read by a parser,", () => {
  it("has the headings, the code and the HTML that are the document's, whatever the texts are", async () => {
    await fc.assert(
      fc.asyncProperty(text, text, text, async (one, two, three) => {
        const args = { path: `x${two}`, text: one };
        const items = [
          said("user", [`x${one}`, { kind: "image", mime_type: two, data: "" }]),
          said("assistant", [
            { kind: "thinking", text: three, redacted: false },
            `x${two}`,
            called("c", `x${one}`, args),
          ]),
          returned("c", `x${two}`, {
            diff: three,
            nested_calls: {
              calls: NESTED.calls.map((call) => ({ ...call, name: three, arguments: args, error: `x${three}` })),
              complete: true,
            },
            context_edit: { entry_id: "e", replacement: [{ kind: "text", text: `x${one}` }] },
          }),
          said("system", [
            { kind: "section", name: one, text: two },
            { kind: "tools", added: [{ name: three }], removed: [two] },
          ]),
          said("assistant", [], { error_message: one }),
          ran(three, `x${one}`),
          summarised("branch", `x${three}`),
        ];
        const redactions = () => [{ type: two, count: 1 }];
        const markdown = await joined(
          exportMarkdown(transcriptOf(items, { name: one, cwd: two, redactions }), {
            include_thinking: true,
            include_tools: true,
          }),
        );
        const { headings, html, code } = structureOf(markdown);
        expect(headings).toEqual([
          "# Session:",
          "## User",
          "## Assistant",
          "### Tool Call:",
          "## System",
          "## Assistant",
          "## User",
          "### Bash",
          "## Branch Summary",
        ]);
        const folded = [
          OPENED("Result"),
          OPENED("3 nested calls"),
          OPENED("The model sees other content here"),
          OPENED("Instructions for the model: 1 section, 1 tool added, 1 tool removed"),
          OPENED("Output"),
        ];
        expect(html).toEqual(folded.flatMap((opened) => [opened, "</details>"]));
        // Between them stand the code blocks of what was said.
        const own = [stringify(args, 2), `x${two}`, three, stringify(args, 2), `x${three}`, one, three, `x${one}`];
        let next = 0;
        for (const block of code) if (block === own[next]) next++;
        expect(own.slice(next)).toEqual([]);
      }),
      { numRuns: 150 },
    );
  });
});
