import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

/** Bundles the worker thread alone: all that tests need, since the rest they take from the sources. */
export function buildWorker() {
  return bundle({ worker: here("src/node/worker.ts") });
}

async function bundle(entryPoints, outdir = here("dist")) {
  await build({
    entryPoints,
    outdir,
    bundle: true,
    // The worker is found beside the code that starts it, so everything lies in one folder.
    splitting: true,
    chunkNames: "[name]-[hash]",
    format: "esm",
    platform: "node",
    target: "node20",
    packages: "external",
    sourcemap: true,
    logLevel: "warning",
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const entryPoints = {
    index: here("src/index.ts"),
    rendering: here("src/rendering.ts"),
    highlighting: here("src/highlighting.ts"),
    node: here("src/node/index.ts"),
    threads: here("src/node/threads/spare-worker.ts"),
    worker: here("src/node/worker.ts"),
  };
  await bundle(entryPoints, process.argv[2]);
}
