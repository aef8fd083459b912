import { chmod, readFile, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

// Bundles the binary (main.js) and the worker that the library starts (worker.js) from the workspace's sources,
// into dist or the directory that is given.

const room = fileURLToPath(new URL(".", import.meta.url));
const directory = resolve(room, process.argv[2] ?? "dist");
const manifest = JSON.parse(await readFile(join(room, "package.json"), "utf8"));

await rm(directory, { recursive: true, force: true });
await build({
  absWorkingDir: room,
  entryPoints: { main: "src/main.ts", worker: "../../packages/core/src/node/worker.ts" },
  outdir: directory,
  bundle: true,
  splitting: true,
  format: "esm",
  platform: "node",
  target: "node20",
  conditions: ["@sm/source"],
  // The CommonJS of jsonc-parser asks for its parts in a way that no bundler sees.
  mainFields: ["module", "main"],
  external: Object.keys(manifest.dependencies),
  define: { SESSION_MANAGER_VERSION: JSON.stringify(manifest.version) },
  // Bundled CommonJS packages call require for Node's own modules.
  banner: {
    js: 'import { createRequire } from "node:module";const require = createRequire(import.meta.url);',
  },
  // For a faster start; names stay, so that stack traces can be read.
  minifySyntax: true,
  minifyWhitespace: true,
  sourcemap: "linked",
  legalComments: "linked",
  logLevel: "warning",
});
await chmod(join(directory, "main.js"), 0o755);
