import { readdir, stat, writeFile } from "node:fs/promises";
import module from "node:module";
import { join } from "node:path";
import { expect, it } from "vitest";
import { call, testBinary, until } from "./binary.fixture.ts";

const binary = testBinary("bundle");

/** Smaller ones are of the loaders and of what is not bundled. */
const BUNDLE_BYTES = 100_000;

async function largeFiles(folder: string): Promise<number> {
  const files = await readdir(folder, { recursive: true }).catch(() => []);
  const sizes = await Promise.all(files.map(async (file) => (await stat(join(folder, file))).size));
  return sizes.filter((size) => size > BUNDLE_BYTES).length;
}

// Node 20 has no such cache.
it.runIf("enableCompileCache" in module)("Node keeps the compiled code of both bundles of a start", async () => {
  const cache = join(binary.folder, "cache");
  const { child, url, ended } = await binary.serve([], {
    XDG_CACHE_HOME: cache,
    NODE_DISABLE_COMPILE_CACHE: undefined,
  });
  await until(async () => (await call<{ pending: number }>(url, "list_sessions")).pending === 0 || undefined);
  child.kill("SIGTERM");
  expect(await ended).toEqual({ code: 0, signal: null });
  expect(await largeFiles(process.platform === "linux" ? cache : binary.folder)).toBe(2);
});

it("starts where compiled code cannot be kept", async () => {
  const file = join(binary.folder, "file");
  await writeFile(file, "");
  const { output, ended } = binary.run(["help"], { XDG_CACHE_HOME: file, NODE_DISABLE_COMPILE_CACHE: undefined });
  expect(await ended).toEqual({ code: 0, signal: null });
  expect(output.stderr).toBe("");
  expect(output.stdout).toContain("session-cli");
});
