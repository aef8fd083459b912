import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";

it("assets.ts is what the folder page says; `npm run reference` writes it", async () => {
  const generator = new URL("../../../page-assets.mjs", import.meta.url).href;
  const { pageAssets } = (await import(generator)) as { pageAssets(): Promise<string> };
  const written = await readFile(new URL("assets.ts", import.meta.url), "utf8");
  expect(written === (await pageAssets()), "assets.ts is stale: run npm run reference.").toBe(true);
});
