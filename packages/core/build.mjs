import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const { dependencies, peerDependencies } = JSON.parse(readFileSync(here("package.json"), "utf8"));

const external = { ...dependencies, ...peerDependencies };

/** Part of what is built: of its 11 MB some 100 KB are used, and its drivers import SQLite, which is optional. */
const BUNDLED = "drizzle-orm";

/** Bundles the worker thread alone, from sources only: all that tests need, since the rest they take from the sources. */
export function buildWorker() {
  const installed = Object.keys(external).filter((name) => !name.startsWith("@sm/"));
  return bundle({ worker: here("src/node/worker/worker.ts") }, here("dist"), {
    conditions: ["@sm/source"],
    external: installed,
  });
}

async function bundle(entryPoints, outdir, options) {
  await build({
    entryPoints,
    outdir,
    ...options,
    bundle: true,
    // The worker is found beside the code that starts it, so everything lies in one folder.
    splitting: true,
    chunkNames: "[name]-[hash]",
    format: "esm",
    platform: "node",
    target: "node20",
    sourcemap: true,
    logLevel: "warning",
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const entryPoints = {
    index: here("src/index.ts"),
    input: here("src/input/index.ts"),
    rendering: here("src/rendering.ts"),
    highlighting: here("src/highlighting.ts"),
    node: here("src/node/index.ts"),
    files: here("src/node/files/index.ts"),
    threads: here("src/node/threads/spare-worker.ts"),
    worker: here("src/node/worker/worker.ts"),
  };
  const directory = process.argv[2] ?? here("dist");
  // What an earlier build has left would be published.
  rmSync(directory, { recursive: true, force: true });
  await bundle(entryPoints, directory, { external: Object.keys(external) });
  const { name, version, license } = JSON.parse(readFileSync(here(`node_modules/${BUNDLED}/package.json`), "utf8"));
  const notice = `${name} ${version} (${license}, https://spdx.org/licenses/${license}.html) is part of these files.\n`;
  writeFileSync(join(directory, "licences.txt"), notice);
}
