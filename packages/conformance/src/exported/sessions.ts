/** Sessions whose pages are tried in a browser, as the lines of their files. */

const USAGE = { input: 100, output: 10, cacheRead: 20, cacheWrite: 0, totalTokens: 130, cost: { total: 0.25 } };
const HEADER = {
  type: "session",
  version: 3,
  id: "page-1",
  timestamp: "2026-03-01T10:00:00.000Z",
  cwd: "/home/user/project",
};
/** One pixel. */
const PICTURE = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

function entry(id: string, parentId: string | null, type: string, fields: object): object {
  return { type, id, parentId, timestamp: "2026-03-01T10:00:01.000Z", ...fields };
}

function asked(id: string, parentId: string | null, content: unknown): object {
  return entry(id, parentId, "message", { message: { role: "user", content } });
}

function answered(id: string, parentId: string, content: object[]): object {
  const message = {
    role: "assistant",
    content,
    provider: "provider-1",
    model: "model-1",
    usage: USAGE,
    stopReason: "stop",
  };
  return entry(id, parentId, "message", { message });
}

function returned(id: string, parentId: string, toolCallId: string, text: string, fields: object = {}): object {
  const message = {
    role: "toolResult",
    toolCallId,
    toolName: "read",
    content: [{ type: "text", text }],
    isError: false,
  };
  return entry(id, parentId, "message", { message: { ...message, ...fields } });
}

const text = (value: string) => ({ type: "text", text: value });
const call = (id: string, name: string, args: object) => ({ type: "toolCall", id, name, arguments: args });

const PROSE = `# A heading

It **is** parsed by \`parse()\`, see [the page](https://example.com/parsing):

\`\`\`ts
const long_line_of_code = "${"a long line ".repeat(20)}";
\`\`\`

| one | two | three |
| --- | --- | --- |
| ${"cell ".repeat(10)} | two | three |

> A quote

1. first
2. second
   - inner
`;

/** One fork with everything that a page shows: the older way ends at `old2`, the newest at `new4`. */
export function branchedSession(): object[] {
  const edit = call("c2", "edit", {
    path: "src/parse.ts",
    oldText: "const a = 1;\nkept",
    newText: "const a = 2;\nkept",
  });
  return [
    HEADER,
    entry("m1", null, "model_change", { provider: "provider-1", modelId: "model-1" }),
    asked("u1", "m1", "How is it parsed?"),
    answered("a1", "u1", [
      { type: "thinking", thinking: "The *file* has to be read." },
      text(PROSE),
      call("c1", "read", { path: "src/parse.ts" }),
      edit,
    ]),
    returned("r1", "a1", "c1", "export const parsed = 42;\n"),
    returned("r2", "r1", "c2", "Done", {
      toolName: "edit",
      details: { diff: "-1 const a = 1;\n+1 const a = 2;\n 2 kept" },
    }),
    asked("old1", "r2", "An older way"),
    answered("old2", "old1", [text(`This was tried first.\n\n${PROSE.repeat(3)}`)]),
    asked("new1", "r2", [text("The newest way"), { type: "image", mimeType: "image/png", data: PICTURE }]),
    entry("new2", "new1", "message", {
      message: { role: "bashExecution", command: "npm test", output: "\u001b[31mfailed\u001b[0m", exitCode: 1 },
    }),
    entry("new3", "new2", "compaction", {
      summary: "What was **said** so far.",
      firstKeptEntryId: "u1",
      tokensBefore: 9,
    }),
    answered("new4", "new3", [text("That is how it goes.")]),
    entry("l1", "new4", "label", { targetId: "u1", label: "The question" }),
  ];
}

/** 1,200 prompts with answers, some 8 MB as a page, half of it packed. */
export function longSession(): object[] {
  const lines: object[] = [HEADER];
  let parent: string | null = null;
  for (let at = 0; at < 1200; at++) {
    lines.push(asked(`u${at}`, parent, `Prompt ${at}: needle < ${at} & more`));
    lines.push(
      answered(`a${at}`, `u${at}`, [
        text("It is done. ".repeat(40)),
        call(`c${at}`, "read", { path: `file-${at}.log` }),
      ]),
    );
    lines.push(returned(`r${at}`, `a${at}`, `c${at}`, `line of ${at}\n`.repeat(300)));
    parent = `r${at}`;
  }
  return lines;
}

const ATTACKS = [
  "<script>globalThis.hasRun = true; alert(1)</script>",
  "</script><script>alert(1)</script>",
  "</style></title></textarea></noscript><script>alert(1)</script>",
  "<!--<script>alert(1)",
  "<img src=x onerror=alert(1)>",
  "<svg onload=alert(1)><style>@import 'http://127.0.0.1:9/x.css'</style>",
  '<iframe src="javascript:alert(1)"></iframe>',
  '<a href="javascript:alert(1)">x</a>',
  "[click](javascript:alert(1)) [click](&#106;avascript:alert(1)) [click](java\tscript:alert(1)) <javascript:alert(1)>",
  "[click](data:text/html,<script>alert(1)</script>) [click](vbscript:alert(1)) [click](file:///etc/passwd)",
  "![picture](http://127.0.0.1:9/picture.png) ![picture](//127.0.0.1:9/picture.png) ![x](javascript:alert(1))",
  '[x]: javascript:alert(1)\n\n[x] [safe](https://example.com/?a="onmouseover=alert(1))',
  '```"><script>alert(1)</script>\n</code></pre><script>alert(1)</script>\n```',
  "` \"' onfocus=alert(1) autofocus tabindex=1 x='` {{constructor.constructor('alert(1)')()}}",
  "\u202ereversed\u2066 \u0000 \ud800 \u2028 <\u200bscript>",
  "\u001b]8;;javascript:alert(1)\u0007link\u001b]8;;\u0007 \u001b[31m<script>alert(1)</script>",
  '<base href="http://127.0.0.1:9/"><meta http-equiv=refresh content="0;url=http://127.0.0.1:9/"><form action=http://127.0.0.1:9/>',
];

/** Every field says what would run or load, were it taken for HTML. */
export function hostileSession(): object[] {
  const all = ATTACKS.join("\n\n");
  const lines: object[] = [{ ...HEADER, id: ATTACKS[0], cwd: all }];
  let parent: string | null = null;
  const add = (make: (id: string, parent: string | null) => object, id: string) => {
    lines.push(make(id, parent));
    parent = id;
  };
  for (const [at, attack] of ATTACKS.entries()) {
    const id = (name: string) => `${name}${at}${attack}`;
    add((own, parent) => asked(own, parent, attack), id("u"));
    const blocks = [
      { type: "thinking", thinking: attack },
      text(attack),
      { type: "image", mimeType: attack, data: attack },
      { type: "image", mimeType: "image/svg+xml", data: btoa("<svg onload='alert(1)'/>") },
      { type: attack, [attack]: attack },
      call(id("c"), attack, { [attack]: attack, path: attack, command: attack, content: attack }),
      call(id("d"), "edit", { path: attack, oldText: attack, newText: `${attack}\n${attack}` }),
    ];
    add((own, parent) => ({ ...answered(own, parent ?? "", blocks), [attack]: attack }), id("a"));
    const details = { diff: `-${attack}\n+${attack}`, [attack]: attack };
    add(
      (own, parent) => returned(own, parent ?? "", id("c"), attack, { toolName: attack, details, isError: true }),
      id("r"),
    );
    const bash = {
      role: "bashExecution",
      command: attack,
      output: attack,
      exitCode: 1,
      truncated: true,
      fullOutputPath: attack,
    };
    add((own, parent) => entry(own, parent, "message", { message: bash }), id("b"));
    add((own, parent) => entry(own, parent, "compaction", { summary: attack }), id("s"));
    add((own, parent) => entry(own, parent, "model_change", { provider: attack, modelId: attack }), id("m"));
    add((own, parent) => entry(own, parent, "custom", { customType: attack, data: { [attack]: attack } }), id("x"));
    add((own, parent) => entry(own, parent, attack, { [attack]: attack }), id("y"));
    lines.push(entry(id("l"), parent, "label", { targetId: id("u"), label: attack }));
    // Each makes a branch of its own, too.
    lines.push(asked(id("o"), id("u"), attack));
  }
  lines.push(entry("name", parent, "session_info", { name: all }));
  return lines;
}
