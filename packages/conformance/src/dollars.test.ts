import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));

it("formatDollars is all that writes amounts of money", () => {
  const sources = ["apps", "packages", "docs/examples"].flatMap((folder) => sourcesIn(join(ROOT, folder)));
  expect(sources.length).toBeGreaterThan(500);
  const own = sources.filter((path) => /\$\$\{|style: "currency"|"\$" \+/.test(readFileSync(path, "utf8")));
  expect(own.map((path) => relative(ROOT, path))).toEqual([join("packages", "core", "src", "dollars.ts")]);
});

function sourcesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return /^(?:node_modules|dist|target|\..*)$/.test(entry.name) ? [] : sourcesIn(path);
    return /(?<!\.test|\.fixture)\.(?:tsx?|mjs)$/.test(entry.name) ? [path] : [];
  });
}
