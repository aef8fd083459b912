import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const WORKFLOWS = join(ROOT, ".github", "workflows");

function read(...path: string[]): string {
  return readFileSync(join(ROOT, ...path), "utf8");
}

describe("what is shipped", () => {
  it("has one Node, in the container and in the desktop application", () => {
    const image = [...read("Dockerfile").matchAll(/^FROM docker\.io\/library\/node:(\d+)-/gm)].map(
      ([, major]) => major,
    );
    const application = [...read(".github/workflows/release.yml").matchAll(/node-version: (.+)/g)];
    expect(new Set([...image, ...application.map(([, version]) => version)])).toEqual(new Set(["24"]));
  });

  it("is built by actions that are pinned to a commit", () => {
    const used = readdirSync(WORKFLOWS).flatMap((name) => {
      return [...readFileSync(join(WORKFLOWS, name), "utf8").matchAll(/uses: (.+)/g)].map(([, action]) => action);
    });
    expect(used.length).toBeGreaterThan(10);
    expect(used.filter((action) => !/^[\w./-]+@[0-9a-f]{40} # v[\d.]+$/.test(action ?? ""))).toEqual([]);
  });
});
