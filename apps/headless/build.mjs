import { existsSync } from "node:fs";
import { chmod, cp, readFile, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { licencesOf } from "./licences.mjs";

// Bundles the binary (main.js) and the worker that the library starts (worker.js) from the workspace's sources,
// into dist or the directory that is given. The page goes with it, where apps/web is built.

const room = fileURLToPath(new URL(".", import.meta.url));
const page = join(room, "..", "web", "dist");
const directory = resolve(room, process.argv[2] ?? "dist");
const manifest = JSON.parse(await readFile(join(room, "package.json"), "utf8"));

await rm(directory, { recursive: true, force: true });
// One after the other: what they have in common would be cut into chunks of its own, and each is a file to load. Apart,
// a start loads 40 instead of 61, which is a tenth of the time until the first answer.
const bundled = [];
for (const entryPoints of [{ main: "src/main.ts" }, { worker: "../../packages/core/src/node/worker.ts" }]) {
  const { metafile } = await bundle(entryPoints);
  bundled.push(...Object.keys(metafile.inputs));
}
await writeFile(join(directory, "licences.txt"), await licencesOf(bundled, room));
await chmod(join(directory, "main.js"), 0o755);
if (existsSync(page)) await cp(page, join(directory, "web"), { recursive: true });

function bundle(entryPoints) {
  return build({
    absWorkingDir: room,
    entryPoints,
    outdir: directory,
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node20",
    conditions: ["@sm/source"],
    // The CommonJS of jsonc-parser asks for its parts in a way that no bundler sees.
    mainFields: ["module", "main"],
    external: Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies }),
    define: { SESSION_MANAGER_VERSION: JSON.stringify(manifest.version) },
    // Bundled CommonJS packages call require for Node's own modules. What is bundled may import createRequire itself.
    banner: {
      js: 'import { createRequire as bundleRequire } from "node:module";const require = bundleRequire(import.meta.url);',
    },
    // For a faster start; names stay, so that stack traces can be read.
    minifySyntax: true,
    minifyWhitespace: true,
    sourcemap: "linked",
    legalComments: "linked",
    metafile: true,
    logLevel: "warning",
  });
}
