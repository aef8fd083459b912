import { symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const core = fileURLToPath(import.meta.resolve("@sm/core/node"));
const sqlite = createRequire(core).resolve("better-sqlite3");

/** Where the worker threads of the library are, which a bundle wants to find beside itself. */
export const WORKER_FILE = fileURLToPath(new URL("../../dist/worker.js", import.meta.resolve("@sm/core/node")));

/** Where packages are found that are required by their name when they are needed. */
const MODULES = fileURLToPath(new URL("../../node_modules", import.meta.resolve("@sm/core/node")));

/**
 * Test support: bundles a TypeScript file into one `.mjs` file that Node runs as it is, wherever it lies. Its folder gets
 * a link to installed packages.
 */
export async function bundleScript(entry: string, outfile: string): Promise<void> {
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    conditions: ["@sm/source"],
    mainFields: ["module", "main"],
    // What does not work in a bundle is named by its place.
    alias: { "better-sqlite3": sqlite },
    external: [sqlite, "trash", "node-pty"],
    banner: {
      js: 'import { createRequire as bundleRequire } from "node:module";const require = bundleRequire(import.meta.url);',
    },
  });
  await symlink(MODULES, join(dirname(outfile), "node_modules"));
}
