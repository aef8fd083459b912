import { AppError, type ExportStream, type ExportStreamOptions } from "@sm/core";
import { describe, expect, it } from "vitest";
import { describeExport, openExport } from "./export-download.ts";

type Asked = ["session", ExportStreamOptions] | ["look" | "redeem", ticket: string];

/** Sources that write down what they are asked for; the ticket `right` is good. */
function testSources() {
  const asked: Asked[] = [];
  const taken = { started: false, closed: false };
  const chunks = {
    [Symbol.asyncIterator]() {
      return this;
    },
    async next() {
      taken.started = true;
      return { done: true as const, value: undefined };
    },
    async return() {
      taken.closed = true;
      return { done: true as const, value: undefined };
    },
  };
  const stream: ExportStream = { file_name: "a.md", media_type: "text/markdown", chunks };
  const find = (how: "look" | "redeem") => async (ticket: string) => {
    asked.push([how, ticket]);
    if (ticket !== "right") throw new AppError("NOT_FOUND", "Ask for a new one.");
    return stream;
  };
  const sources = {
    sessions: {
      async exportStream(options: ExportStreamOptions) {
        asked.push(["session", options]);
        return stream;
      },
    },
    exportTickets: { look: find("look"), redeem: find("redeem") },
  };
  return { sources, stream, asked, taken };
}

const USUAL = {
  include_thinking: true,
  include_tools: true,
  redact: false,
  theme: "system",
  include_subagents: false,
} as const;

const WORDS = "path=/s/a.jsonl&format=json&redact_words=Ada&redact_words=Acme+Corp";

const REFUSED: [query: string, field: string][] = [
  ["format=json", "path"],
  ["path=/s/a.jsonl", "format"],
  ["path=/s/a.jsonl&format=zip", "format"],
  ["path=/s/a.jsonl&format=json&include_tools=1", "include_tools"],
  ["path=/s/a.jsonl&format=json&include_tools", "include_tools"],
  ["path=/s/a.jsonl&format=json&redact=yes", "redact"],
  ["path=/s/a.jsonl&format=json&theme=sepia", "theme"],
  ["path=/s/a.jsonl&format=json&redact_words=Ada&redact_words=x", "redact_words.1"],
  ["path=/s/a.jsonl&format=json&Leaf_id=x", "Leaf_id"],
  ["path=/s/a.jsonl&format=json&disposition=inline", "format"],
  ["path=/s/a.jsonl&format=html&disposition=frame", "disposition"],
  ["path=/s/a.jsonl&format=jsonl&offset=-1", "offset"],
  ["path=/s/a.jsonl&format=jsonl&offset=1e3", "offset"],
  ["path=/s/a.jsonl&format=jsonl&length=0", "length"],
  ["path=/s/a.jsonl&format=jsonl&length=99999999999999999999", "length"],
  ["path=/s/a.jsonl&format=json&__proto__=x", "__proto__"],
  ["path=/s/a.jsonl&path=/s/b.jsonl&format=json", "path"],
  ["ticket=", "ticket"],
  [`ticket=${"x".repeat(101)}`, "ticket"],
  ["ticket=right&ticket=right", "ticket"],
  ["ticket=right&path=/s/a.jsonl", "path"],
  ["ticket=right&redact=false", "redact"],
  ["format=html&ticket=right", "format"],
  ["ticket=right&disposition=inline", "disposition"],
];

describe("openExport", () => {
  it("takes several words to replace", async () => {
    const { sources, asked } = testSources();
    await openExport(new URLSearchParams(WORDS), sources);
    expect(asked).toEqual([["session", expect.objectContaining({ redact_words: ["Ada", "Acme Corp"] })]]);
  });

  it.each<[string, ExportStreamOptions]>([
    ["path=/s/a%20b.jsonl&format=jsonl", { path: "/s/a b.jsonl", format: "jsonl", ...USUAL }],
    [
      "path=/s/a.jsonl&format=jsonl&offset=0&length=4096",
      { path: "/s/a.jsonl", format: "jsonl", offset: 0, length: 4_096, ...USUAL },
    ],
    [
      "path=/s/a.jsonl&format=markdown&leaf_id=l&include_thinking=false&include_tools=true&redact=true&theme=dark&include_subagents=true",
      {
        path: "/s/a.jsonl",
        format: "markdown",
        leaf_id: "l",
        include_thinking: false,
        include_tools: true,
        redact: true,
        theme: "dark",
        include_subagents: true,
      },
    ],
    ["path=true&format=html&token=sm_secret", { path: "true", format: "html", ...USUAL }],
  ])("reads %s", async (query, options) => {
    const { sources, stream, asked } = testSources();
    expect(await openExport(new URLSearchParams(query), sources)).toEqual({ ...stream, disposition: "attachment" });
    expect(asked).toEqual([["session", options]]);
  });

  it("tells that a page is to be shown", async () => {
    const { sources, asked } = testSources();
    const query = new URLSearchParams("path=/s/a.jsonl&format=html&disposition=inline");
    expect(await openExport(query, sources)).toMatchObject({ disposition: "inline" });
    expect(asked).toEqual([["session", { path: "/s/a.jsonl", format: "html", ...USUAL }]]);
  });

  it.each(["ticket=right", "ticket=right&token=sm_secret"])("uses a ticket up: %s", async (query) => {
    const { sources, stream, asked } = testSources();
    expect(await openExport(new URLSearchParams(query), sources)).toEqual({ ...stream, disposition: "attachment" });
    expect(asked).toEqual([["redeem", "right"]]);
  });

  it("says that a ticket is no longer good", async () => {
    const { sources } = testSources();
    const opened = openExport(new URLSearchParams("ticket=wrong"), sources);
    await expect(opened).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  it.each(REFUSED)("refuses %s", async (query, field) => {
    const { sources, asked } = testSources();
    await expect(openExport(new URLSearchParams(query), sources)).rejects.toMatchObject({
      code: "INVALID_PAYLOAD",
      details: [expect.objectContaining({ path: field })],
    });
    expect(asked).toEqual([]);
  });
});

describe("describeExport", () => {
  it("opens a session for its name, and closes it", async () => {
    const { sources, asked, taken } = testSources();
    const query = new URLSearchParams("path=/s/a.jsonl&format=markdown");
    expect(await describeExport(query, sources)).toMatchObject({ file_name: "a.md", media_type: "text/markdown" });
    expect(asked).toEqual([["session", { path: "/s/a.jsonl", format: "markdown", ...USUAL }]]);
    expect(taken).toEqual({ started: false, closed: true });
  });

  it("looks at a ticket, and leaves its export alone", async () => {
    const { sources, asked, taken } = testSources();
    expect(await describeExport(new URLSearchParams("ticket=right"), sources)).toMatchObject({ file_name: "a.md" });
    expect(asked).toEqual([["look", "right"]]);
    expect(taken).toEqual({ started: false, closed: false });
  });

  it.each(REFUSED)("refuses %s", async (query, field) => {
    const { sources, asked } = testSources();
    await expect(describeExport(new URLSearchParams(query), sources)).rejects.toMatchObject({
      code: "INVALID_PAYLOAD",
      details: [expect.objectContaining({ path: field })],
    });
    expect(asked).toEqual([]);
  });
});
