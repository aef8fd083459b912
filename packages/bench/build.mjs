import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const manifest = JSON.parse(readFileSync(new URL("package.json", import.meta.url), "utf8"));
const dependencies = Object.keys({
  ...manifest.dependencies,
  ...manifest.optionalDependencies,
  ...manifest.devDependencies,
});

// Worker threads and processes that the benches start are programs of their own.
await build({
  absWorkingDir: fileURLToPath(new URL(".", import.meta.url)),
  entryPoints: [
    "src/main.ts",
    "src/screenshots.ts",
    "src/programs/*.ts",
    // Threads of simulated machines, which they look for beside themselves.
    { in: "../core/src/node/worker/worker.ts", out: "programs/worker" },
  ],
  outdir: "dist",
  bundle: true,
  // Packages of this repository are taken from their sources: in a fresh checkout none of them is built.
  conditions: ["@sm/source"],
  mainFields: ["module", "main"],
  external: dependencies.filter((name) => !name.startsWith("@sm/")),
  format: "esm",
  platform: "node",
  target: "node20",
  // For what is CommonJS in the packages that are bundled.
  banner: {
    js: 'import { createRequire as bundleRequire } from "node:module";const require = bundleRequire(import.meta.url);',
  },
  logLevel: "warning",
});
