import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runFake } from "./fake-shell.fixture.ts";

describe("the manual page", () => {
  it("has every command and option that the help has", async () => {
    const { stdout, error } = await runFake(["__manual"]);
    expect(error).toBeNull();
    const plain = stdout.replaceAll("\\-", "-");
    const help = (await runFake(["--help"])).stdout;
    for (const [flag] of help.matchAll(/--[\w-]+/g)) expect(plain).toContain(flag);
    for (const name of ["list", "live answer", "terminals show", "tag create", "completion"]) {
      expect(plain).toContain(`.SS "${name}`);
    }
    expect(plain).toContain("--per-session <number>");
    expect(plain).not.toContain("__");
  });

  it("is packed where man looks for it", () => {
    const manifest = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
    expect(manifest).toMatchObject({ man: "./dist/session-cli.1", files: expect.arrayContaining(["dist"]) });
  });

  const hasMan = process.platform === "linux" && spawnSync("man", ["--version"]).status === 0;
  if (!hasMan && process.env.SESSION_MANAGER_ALL_TESTS === "1") {
    throw new Error("This test needs man, which is not installed: apt-get install man-db");
  }
  if (!hasMan) console.info("A test is skipped because man is not installed.");
  it.runIf(hasMan)("is shown by man without a warning", async () => {
    const folder = mkdtempSync(join(tmpdir(), "session-cli-"));
    try {
      const path = join(folder, "session-cli.1");
      writeFileSync(path, (await runFake(["__manual"])).stdout);
      const env = { ...process.env, LC_ALL: "C.UTF-8", MANWIDTH: "80", MANROFFSEQ: "" };
      const shown = spawnSync("man", ["--warnings", "-l", path], { encoding: "utf8", env: { ...env, PAGER: "cat" } });
      expect({ status: shown.status, stderr: shown.stderr }).toEqual({ status: 0, stderr: "" });
      expect(shown.stdout).toContain("--per-session <number>");
      expect(shown.stdout).toContain("session-cli search tide clock");
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
