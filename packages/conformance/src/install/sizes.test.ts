import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { IS_REAL, MAX_INSTALLATION_MS, packAll, ROOT } from "./published.ts";

/** What npm installs for a purpose, before native parts are compiled. */
interface Installation {
  label: string;
  packages: number;
  bytes: number;
  native: string[];
}

// Asks the npm registry for every package: a part of `npm run test:install`.
describe.runIf(IS_REAL)("what npm installs", () => {
  const folder = mkdtempSync(join(tmpdir(), "session-manager-sizes-"));
  let installations: Installation[];

  beforeAll(() => {
    packAll(folder);
    const script = join(ROOT, "packages/workspace/src/figures.mjs");
    installations = JSON.parse(execFileSync(process.execPath, [script, folder], { encoding: "utf8" }));
  }, MAX_INSTALLATION_MS);

  afterAll(() => rmSync(folder, { recursive: true }));

  it("has no native code for clients and for sessions as data", () => {
    const [client, data, library] = installations;
    expect([client?.native, data?.native]).toEqual([[], []]);
    expect(Math.max(client?.packages ?? 0, data?.packages ?? 0)).toBeLessThan(30);
    expect(library?.native).toEqual(["better-sqlite3"]);
  });

  it.each(["install.md", "using-core.md"])("is what %s says", (page) => {
    const text = readFileSync(join(ROOT, "docs", page), "utf8");
    for (const { label, packages, bytes } of installations) {
      const cells =
        text
          .split("\n")
          .find((line) => line.startsWith(`| ${label} `))
          ?.split("|") ?? [];
      // Dependencies of dependencies come and go with their releases.
      expect(Math.abs(Number(cells[2]) - packages), label).toBeLessThanOrEqual(packages / 10 + 2);
      expect(Math.abs(Number.parseFloat(cells[3] ?? "") * 1e6 - bytes), label).toBeLessThan(bytes / 5);
    }
  });
});
