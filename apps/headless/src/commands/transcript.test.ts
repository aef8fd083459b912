import { describe, expect, it } from "vitest";
import { lastTurns, paintHeadings } from "./transcript.ts";

const MARKDOWN = `# Session: Tides

- **Session ID:** x

## User

First

\`\`\`\`md
## no heading
\`\`\`
## none either
\`\`\`\`

## Assistant

### Tool Call: bash

    ## code

## User

Last
`;

const HEAD = "# Session: Tides\n\n- **Session ID:** x\n\n";

describe("lastTurns", () => {
  it.each([
    [1, `${HEAD}## User\n\nLast\n`],
    [2, `${HEAD}## Assistant\n\n### Tool Call: bash\n\n    ## code\n\n## User\n\nLast\n`],
    [3, MARKDOWN],
    [9, MARKDOWN],
    [0, HEAD],
  ])("keeps the last %i", (count, expected) => {
    expect(lastTurns(MARKDOWN, count).trimEnd()).toBe(expected.trimEnd());
  });

  it("keeps a session in which nobody speaks", () => {
    expect(lastTurns(HEAD, 1)).toBe(HEAD);
  });
});

describe("paintHeadings", () => {
  it("paints headings, not code", () => {
    const painted = paintHeadings(MARKDOWN, (text, level) => `${level}<${text}>`);
    expect(painted.match(/\d<.*>/g)).toEqual([
      "1<# Session: Tides>",
      "2<## User>",
      "2<## Assistant>",
      "3<### Tool Call: bash>",
      "2<## User>",
    ]);
    expect(painted.replaceAll(/\d<(.*)>/g, "$1")).toBe(MARKDOWN);
  });
});
