import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { moduleFile, moduleOf, PROGRAMS } from "./wasm.mjs";

it.each(PROGRAMS)("$name of $folder is what its source compiles to", { timeout: 120_000 }, async (program) => {
  const stored = await readFile(moduleFile(program), "utf8");
  expect(stored, "Run `node packages/workspace/src/wasm.mjs`.").toBe(await moduleOf(program));
});
