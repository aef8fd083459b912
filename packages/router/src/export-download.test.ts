import type { ExportStream, ExportStreamOptions } from "@sm/core";
import { describe, expect, it } from "vitest";
import { openExport } from "./export-download.ts";

const STREAM: ExportStream = { file_name: "a.md", media_type: "text/markdown", chunks: (async function* () {})() };

async function open(query: string) {
  const asked: ExportStreamOptions[] = [];
  const sessions = {
    async exportStream(options: ExportStreamOptions) {
      asked.push(options);
      return STREAM;
    },
  };
  return { stream: await openExport(new URLSearchParams(query), sessions), asked };
}

describe("openExport", () => {
  it.each<[string, ExportStreamOptions]>([
    [
      "path=/s/a%20b.jsonl&format=jsonl",
      { path: "/s/a b.jsonl", format: "jsonl", include_thinking: true, include_tools: true },
    ],
    [
      "path=/s/a.jsonl&format=markdown&leaf_id=l&include_thinking=false&include_tools=true&redact=false&theme=dark",
      { path: "/s/a.jsonl", format: "markdown", leaf_id: "l", include_thinking: false, include_tools: true },
    ],
    [
      "path=true&format=html&token=sm_secret",
      { path: "true", format: "html", include_thinking: true, include_tools: true },
    ],
  ])("reads %s", async (query, options) => {
    const { stream, asked } = await open(query);
    expect(stream).toBe(STREAM);
    expect(asked).toEqual([options]);
  });

  it.each([
    ["format=json", "path"],
    ["path=/s/a.jsonl", "format"],
    ["path=/s/a.jsonl&format=zip", "format"],
    ["path=/s/a.jsonl&format=json&include_tools=1", "include_tools"],
    ["path=/s/a.jsonl&format=json&include_tools", "include_tools"],
    ["path=/s/a.jsonl&format=json&Leaf_id=x", "Leaf_id"],
    ["path=/s/a.jsonl&format=json&__proto__=x", "__proto__"],
    ["path=/s/a.jsonl&path=/s/b.jsonl&format=json", "path"],
  ])("refuses %s", async (query, field) => {
    await expect(open(query)).rejects.toMatchObject({
      code: "INVALID_PAYLOAD",
      details: [expect.objectContaining({ path: field })],
    });
  });

  it("does not pretend to redact", async () => {
    await expect(open("path=/s/a.jsonl&format=json&redact=true")).rejects.toMatchObject({ code: "UNAVAILABLE" });
  });
});
