import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { Transcript, TranscriptItem } from "../session/transcript.ts";
import { noUsage } from "../session/usage.ts";
import { exportHtml, type HtmlOptions } from "./html.ts";
import { called, joined, returned, said, transcriptOf } from "./transcript.fixture.ts";

const EVERYTHING = { include_thinking: true, include_tools: true };

const write = (transcript: Transcript, options: Partial<HtmlOptions> = {}) =>
  joined(exportHtml(transcript, { ...EVERYTHING, ...options }));

const prompt = (id: string, text = `prompt ${id}`) => said("user", [text], { id });

const VOID = new Set(["meta", "input", "br", "hr", "img", "path"]);

/** Elements in their order, with `problem` where the tags do not fit each other. */
function elementsOf(html: string): { tags: string[]; problem: string | null } {
  const text = html.replace(/(<(?:style|script)>)[\s\S]*?(<\/(?:style|script)>)/g, "$1$2");
  const open: string[] = [];
  const tags: string[] = [];
  for (const [tag, slash, name = ""] of text.matchAll(/<(\/?)([a-z][a-z0-9]*)\b(?:"[^"]*"|'[^']*'|[^>"'])*>/gi)) {
    if (slash === "/") {
      const last = open.pop();
      if (last !== name) return { tags, problem: `${tag} ends ${last}` };
      continue;
    }
    tags.push(tag);
    if (!VOID.has(name) && !tag.endsWith("/>")) open.push(name);
  }
  return { tags, problem: open.length === 0 ? null : `open: ${open.join(" ")}` };
}

describe("an HTML export", () => {
  it("is well formed and names what is known of the session", async () => {
    const usage = { ...noUsage(), input_tokens: 1000, output_tokens: 234 };
    const html = await write(
      transcriptOf([prompt("a"), said("assistant", ["Done."], { id: "b" })], {
        name: "Tidy up",
        title: "Tidy up",
        cwd: "/home/dev/proj",
        models: ["model-1", "model-2"],
        created_at: "2026-05-01T12:00:00.000Z",
        modified_at: "2026-05-02T08:30:00.000Z",
        usage: { ...usage, total_tokens: 1234, cost_usd: 0.0375 },
      }),
    );
    expect(elementsOf(html).problem).toBeNull();
    expect(html).toContain("<title>Tidy up</title>");
    expect(html).toContain("<h1><bdi>Tidy up</bdi></h1>");
    const facts = [...html.matchAll(/<dt>([^<]*)<\/dt><dd>(.*?)<\/dd>/g)].map(([, name, value = ""]) => [
      name,
      value.replace(/<[^>]*>/g, ""),
    ]);
    expect(facts.filter(([name]) => !name?.includes("kbd"))).toEqual(
      expect.arrayContaining([
        ["Working directory", "/home/dev/proj"],
        ["Models", "model-1, model-2"],
        ["Created", "1 May 2026, 12:00 UTC"],
        ["Last activity", "2 May 2026, 08:30 UTC"],
        ["Conversation", "2 messages · 1 prompt · 0 tool calls"],
        ["Tokens", "1,234 (1,000 input · 234 output)"],
        ["Cost", "$0.038"],
        ["Session ID", "0196a3c0-1111-7000-8000-000000000001"],
      ]),
    );
    expect(html).toContain("Exported by Session Manager");
  });

  it("allows nothing but its own style and script", async () => {
    const html = await write(transcriptOf([prompt("a")]));
    const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(html)?.[1];
    const hashOf = (element: string) => {
      const [, text = ""] = new RegExp(`<${element}>([\\s\\S]*?)</${element}>`).exec(html) ?? [];
      return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
    };
    expect(policy?.split("; ")).toEqual([
      "default-src 'none'",
      `style-src ${hashOf("style")}`,
      `script-src ${hashOf("script")}`,
      "img-src data:",
      "base-uri 'none'",
      "form-action 'none'",
    ]);
  });

  it("weighs little without its session", async () => {
    const html = await write(transcriptOf([]));
    expect(elementsOf(html).problem).toBeNull();
    expect(new TextEncoder().encode(html).length).toBeLessThan(48 * 1024);
  });

  it.each([
    ["system", undefined],
    ["light", "light"],
    ["dark", "dark"],
  ] as const)("theme %s", async (theme, chosen) => {
    const html = await write(transcriptOf([]), { theme });
    expect(/<html[^>]*data-theme="(\w+)"/.exec(html)?.[1]).toBe(chosen);
  });

  it("writes entries before the next ones are read, and closes what it reads when it is given up", async () => {
    let read = 0;
    let isClosed = false;
    function* items(): Generator<TranscriptItem> {
      try {
        for (; read < 100; read++) yield prompt(String(read));
      } finally {
        isClosed = true;
      }
    }
    const transcript = { ...transcriptOf([]), items: items(), runs: [{ parent: -1, count: 100, shown: true }] };
    const pieces = exportHtml(transcript, EVERYTHING);
    let text = "";
    while (!text.includes("prompt 2")) text += (await pieces.next()).value;
    expect(read).toBeLessThan(5);
    await pieces.return(undefined);
    expect(isClosed).toBe(true);
  });

  it("sums up what was replaced, which is known after the last item", async () => {
    let found = 0;
    function* items(): Generator<TranscriptItem> {
      for (const id of ["a", "b"]) {
        found += 617;
        yield prompt(id);
      }
    }
    const transcript = transcriptOf([prompt("a"), prompt("b")], {
      redactions: () => [{ type: "API <key>", count: found }],
    });
    const html = await write({ ...transcript, items: items() });
    expect(html).toContain('<a href="#redactions">');
    expect(/id="redactions">[\s\S]*?<li>(.*?)<\/li>/.exec(html)?.[1]).toBe("API &lt;key&gt;: 1,234");
    expect(await write(transcriptOf([], { redactions: () => [] }))).toContain("found nothing to replace");
  });

  it("leaves out what is not selected", async () => {
    const items = [
      prompt("a"),
      said("assistant", [{ kind: "thinking", text: "hmm hmm", redacted: false }, called("1", "read")], { id: "b" }),
      returned("1", "content of the file", { id: "c" }),
    ];
    const html = await write(transcriptOf(items), { include_thinking: false, include_tools: false });
    expect(html).not.toMatch(/hmm hmm|content of the file/);
    expect(elementsOf(html).problem).toBeNull();
  });

  const HOSTILE = `"'><script>alert(1)</script><!--</style></title></noscript>\u202e\ud800\0&amp;`;

  it("lets no text of a session become a tag or turn others around", async () => {
    const items = [
      prompt(HOSTILE, HOSTILE),
      said("assistant", [HOSTILE, called(HOSTILE, HOSTILE, { [HOSTILE]: HOSTILE })], {
        id: `${HOSTILE}2`,
        model: HOSTILE,
      }),
      returned(HOSTILE, HOSTILE, { id: `${HOSTILE}3`, tool_name: HOSTILE, diff: HOSTILE }),
    ];
    const html = await write(
      transcriptOf(items, {
        session_id: HOSTILE,
        name: HOSTILE,
        cwd: HOSTILE,
        created_at: HOSTILE,
        modified_at: HOSTILE,
        models: [HOSTILE],
        labels: { [HOSTILE]: HOSTILE },
        redactions: () => [{ type: HOSTILE, count: 1 }],
      }),
    );
    const { tags, problem } = elementsOf(html);
    expect(problem).toBeNull();
    expect(tags.filter((tag) => /^<(?:script|style|title|noscript)/.test(tag))).toHaveLength(3);
    expect(tags.filter((tag) => /\s(?:on\w+|style)\s*=/i.test(tag))).toEqual([]);
    const prose = html.replace(/<(script|style)>[\s\S]*?<\/\1>/g, "");
    expect(prose).not.toMatch(/<!--|\p{Cs}|\0/u);
    expect(/<h1>.*<\/h1>/.exec(html)?.[0]).not.toMatch(/\p{Bidi_Control}/u);
  });
});

describe("branches of an HTML export", () => {
  /** A forks into B (shown) and C; C forks into D and E; F begins anew. */
  const forked = transcriptOf(
    ["A1", "A2", "B1", "C1", "D1", "E1", "F1"].map((id) => prompt(id)),
    {
      runs: [
        { parent: -1, count: 2, shown: true },
        { parent: 0, count: 1, shown: true },
        { parent: 0, count: 1, shown: false },
        { parent: 2, count: 1, shown: false },
        { parent: 2, count: 1, shown: false },
        { parent: -1, count: 1, shown: false },
      ],
    },
  );

  it("are sections, each behind the one that it continues, with the branch shown first", async () => {
    const html = await write(forked);
    expect(elementsOf(html).problem).toBeNull();
    const order = [
      ...html.matchAll(
        /<section class="(run[^"]*)" id="(run-\d+)" data-parent="(-?\d+)">|class="others"|<article[^>]* id="e-(\w+)"/g,
      ),
    ];
    expect(
      order.map(([whole, kind, id, parent, entry]) => (kind ? `${id} of ${parent}, ${kind}` : (entry ?? whole))),
    ).toEqual([
      "run-0 of -1, run shown",
      "A1",
      "A2",
      "run-1 of 0, run shown",
      "B1",
      'class="others"',
      "run-2 of 0, run",
      "C1",
      "run-3 of 2, run",
      "D1",
      "run-4 of 2, run",
      "E1",
      "run-5 of -1, run",
      "F1",
    ]);
  });

  it("say without a script what they continue and how the conversation goes on", async () => {
    const html = await write(forked);
    const continued = [...html.matchAll(/id="(run-\d)"[^>]*>\n<p class="continues">.*?href="#([^"]*)"/g)];
    expect(continued.map(([, run, from]) => [run, from])).toEqual([
      ["run-2", "e-A2"],
      ["run-3", "e-C1"],
      ["run-4", "e-C1"],
    ]);
    const forks = [...html.matchAll(/<div class="fork"[^>]*><span>(.*?)<\/span>(.*?)<\/div>/g)];
    expect(forks.map(([, label, links = ""]) => [label, links.trim()])).toEqual([
      ["2 beginnings", '<a href="#run-0" aria-current="true">1</a> <a href="#run-5">2</a>'],
      ["2 continuations", '<a href="#run-1" aria-current="true">1</a> <a href="#run-2">2</a>'],
      ["2 continuations", '<a href="#run-3">1</a> <a href="#run-4">2</a>'],
    ]);
  });

  it("are listed: aside and below where one has turned aside", async () => {
    const html = await write(forked);
    const tree = [...html.matchAll(/<li class="level-(\d)"><a href="#run-(\d)"( aria-current)?[^>]*>(.*?)<\/a>/g)];
    expect(tree.map(([, level, run, current, text]) => `${level} ${run} ${text}${current ? " shown" : ""}`)).toEqual([
      "1 5 prompt F1",
      "0 0 prompt A1 shown",
      "1 2 prompt C1",
      "2 4 prompt E1",
      "1 3 prompt D1",
      "0 1 prompt B1 shown",
    ]);
  });

  it("have the prompts of each run in a list of its own", async () => {
    const html = await write(forked);
    const lists = [...html.matchAll(/<ol class="prompts( shown)?" data-run="(\d)">([\s\S]*?)<\/ol>/g)];
    expect(lists.map(([, shown, run, list = ""]) => [run, shown !== undefined, list.match(/prompt \w+/g)])).toEqual([
      ["0", true, ["prompt A1", "prompt A2"]],
      ["1", true, ["prompt B1"]],
      ["2", false, ["prompt C1"]],
      ["3", false, ["prompt D1"]],
      ["4", false, ["prompt E1"]],
      ["5", false, ["prompt F1"]],
    ]);
  });

  it.each([
    ["one fork with 12,000 ways", (run: number) => (run === 0 ? -1 : 0)],
    ["12,000 beginnings", () => -1],
    ["6,000 forks, each behind the other", (run: number) => (run === 0 ? -1 : run - 2 + (run % 2))],
  ])("%s make a list that somebody can read", async (_what, parentOf) => {
    const runs = Array.from({ length: 12_000 }, (_, run) => ({
      parent: Math.max(-1, parentOf(run)),
      count: 1,
      shown: run === 0,
    }));
    const items = runs.map((_, run) => prompt(String(run)));
    const html = await write(transcriptOf(items, { runs }));
    expect(html.match(/<section class="run/g)).toHaveLength(12_000);
    expect(html.match(/<li class="level-/g)).toHaveLength(500);
    const links = [...html.matchAll(/<div class="fork".*?<\/div>/g)].map(([fork]) => fork.match(/<a /g)?.length ?? 0);
    expect(Math.max(...links)).toBeLessThan(20);
    expect(html.match(/data-part="/g)).toHaveLength(10_000);
    expect(html).toContain("and 2,000 more");
  });
});

describe("a long HTML export", () => {
  it("is cut into parts, of which the later ones are packed for readers with the script", async () => {
    const text = "word ".repeat(2000);
    const items = Array.from({ length: 1000 }, (_, at) => prompt(`n${at}`, text));
    const html = await write(transcriptOf(items));
    const parts = html.split(/<div class="part(?: packed)?">/).slice(1);
    const packed = parts.map((part) => part.startsWith("<noscript>"));
    const first = packed.indexOf(true);
    expect(first).toBeGreaterThan(10);
    expect(packed.slice(first)).not.toContain(false);
    const beforePacked = parts.slice(0, first).join("").length;
    expect(beforePacked).toBeGreaterThan(4_000_000);
    expect(beforePacked).toBeLessThan(5_000_000);
    expect(elementsOf(html).problem).toBeNull();
    expect(html.match(/<article/g)).toHaveLength(1000);
    // A link of the contents says in which part its entry is.
    const at = Number(/href="#e-n900" data-part="(\d+)"/.exec(html)?.[1]);
    expect(parts[at]).toContain('id="e-n900"');
  });

  it("has no part that takes long to lay out", async () => {
    const items = Array.from({ length: 300 }, (_, at) => prompt(`n${at}`, at % 3 === 0 ? "x".repeat(50_000) : "short"));
    const html = await write(transcriptOf(items));
    for (const part of html.split(/<div class="part(?: packed)?">/).slice(1)) {
      expect(part.match(/<article/g)?.length).toBeLessThanOrEqual(16);
      expect(part.length).toBeLessThan(150_000);
    }
  });
});
