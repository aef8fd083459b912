import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { CODE } from "../postings/lists-code.ts";

const place = (path: string) => new URL(path, import.meta.url);

it.each(["json", "terms", "lists", "decoding"])(
  "%s-code.ts is what its source compiles to",
  { timeout: 120_000 },
  async (name) => {
    const assembly = place("../../../assembly/build.mjs");
    const { moduleOf, PLACES } = (await import(assembly.href)) as {
      moduleOf(name: string): Promise<string>;
      PLACES: Record<string, string>;
    };
    const stored = await readFile(new URL(PLACES[name] ?? "", assembly), "utf8");
    expect(stored, "Run `node packages/core/assembly/build.mjs`.").toBe(await moduleOf(name));
  },
);

it.each([2 ** 29, 2 ** 30, 2 ** 31 - 1, -1])("a program traps when %i terms would take two gigabytes", (termCount) => {
  const lists = { takePostings: () => undefined, takePositions: () => undefined };
  const program = new WebAssembly.Instance(new WebAssembly.Module(Buffer.from(CODE, "base64")), { lists });
  const { memory, reserve } = program.exports as { memory: WebAssembly.Memory; reserve(termCount: number): void };
  const before = memory.buffer.byteLength;
  expect(() => reserve(termCount)).toThrow(WebAssembly.RuntimeError);
  expect(memory.buffer.byteLength).toBe(before);
});
