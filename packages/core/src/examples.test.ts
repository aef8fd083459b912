import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const ROOM = fileURLToPath(new URL("..", import.meta.url));
const EXAMPLES = fileURLToPath(new URL("../../../docs/examples", import.meta.url));
/** Inside the package, so that the bundles find its dependencies; not dist, which somebody may be running. */
const BUILD = join(ROOM, "node_modules", ".test-build-examples");

let folder: string;

/** A folder of somebody who has installed the package as it is published. */
beforeAll(() => {
  execFileSync(process.execPath, [join(ROOM, "build.mjs"), BUILD]);
  folder = mkdtempSync(join(tmpdir(), "session-manager-examples-"));
  cpSync(EXAMPLES, folder, { recursive: true });
  const installed = join(folder, "node_modules", "@sm", "core");
  mkdirSync(installed, { recursive: true });
  const { name, type, publishConfig } = JSON.parse(readFileSync(join(ROOM, "package.json"), "utf8"));
  writeFileSync(join(installed, "package.json"), JSON.stringify({ name, type, exports: publishConfig.exports }));
  symlinkSync(BUILD, join(installed, "dist"));
}, 60_000);
afterAll(() => {
  rmSync(folder, { recursive: true });
  rmSync(BUILD, { recursive: true });
});

function run(...args: string[]): string {
  return execFileSync(process.execPath, args, { cwd: folder, encoding: "utf8" });
}

describe("the example", () => {
  it("export-html.mjs writes a page", () => {
    expect(run("export-html.mjs", "session.jsonl", "session.html")).toBe("Bernoulli numbers: session.html\n");
    const page = readFileSync(join(folder, "session.html"), "utf8");
    expect(page).toMatch(/^<!doctype html>/i);
    for (const text of ["Bernoulli numbers", "Fix it.", "without a loop"]) expect(page).toContain(text);
  });

  it("session-cost.mjs prints what each prompt has cost", () => {
    expect(run("session-cost.mjs", "session.jsonl")).toBe(
      [
        "$0.0139  Why does `bernoulli(8)` return 0?",
        "$0.0164  Fix it.",
        "Bernoulli numbers: $0.0377 with all branches",
        "",
      ].join("\n"),
    );
  });
});
