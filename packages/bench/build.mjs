import { fileURLToPath } from "node:url";
import { build } from "esbuild";

// Worker threads and processes that the benches start are programs of their own.
await build({
  absWorkingDir: fileURLToPath(new URL(".", import.meta.url)),
  entryPoints: ["src/main.ts", "src/screenshots.ts", "src/programs/*.ts"],
  outdir: "dist",
  bundle: true,
  packages: "external",
  format: "esm",
  platform: "node",
  target: "node20",
  logLevel: "warning",
});
