import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, cp, readFile, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { recordCodeCache } from "./code-cache.mjs";
import { licencesOf } from "./licences.mjs";

// Bundles the binary from the workspace's sources, into dist or the directory that is given: main.js, and worker.js, which
// the library starts, load program.cjs and tasks.cjs with what of them is compiled beforehand. The page goes with it,
// where apps/web is built.

const room = fileURLToPath(new URL(".", import.meta.url));
const page = join(room, "..", "web", "dist");
const directory = resolve(room, process.argv[2] ?? "dist");
const manifest = JSON.parse(await readFile(join(room, "package.json"), "utf8"));

const settings = {
  absWorkingDir: room,
  outdir: directory,
  bundle: true,
  platform: "node",
  target: "node20",
  conditions: ["@sm/source"],
  // Scripts start faster than ES modules, and of these V8 keeps no compiled code in Node 20.
  format: "cjs",
  define: {
    SESSION_MANAGER_VERSION: JSON.stringify(manifest.version),
    SESSION_MANAGER_BUILT_WITH: JSON.stringify(`${process.version}-${process.platform}-${process.arch}`),
    "import.meta.url": "bundleUrl",
  },
  // For a faster start; names stay, so that stack traces can be read.
  minifySyntax: true,
  minifyWhitespace: true,
  sourcemap: "linked",
  legalComments: "linked",
  metafile: true,
  logLevel: "warning",
};

await rm(directory, { recursive: true, force: true });
const bundleUrl = 'const bundleUrl=require("node:url").pathToFileURL(__filename).href;';
await build({
  ...settings,
  entryPoints: { main: "src/main.ts", worker: "src/worker.ts" },
  banner: { js: bundleUrl },
});
await saveType("", "commonjs");
const { metafile } = await build({
  ...settings,
  entryPoints: { program: "src/run.ts", tasks: "../../packages/core/src/node/worker/worker.ts" },
  outExtension: { ".js": ".cjs" },
  // What src/bundle.ts calls. It reads a character from each byte.
  banner: { js: `(function(exports,require,module,__filename,__dirname,extern){"use strict";${bundleUrl}` },
  footer: { js: "})" },
  charset: "ascii",
  // The CommonJS of jsonc-parser asks for its parts in a way that no bundler sees.
  mainFields: ["module", "main"],
  external: Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies }),
});
for (const name of ["program.cjs", "tasks.cjs"]) await finish(name);
await writeFile(join(directory, "licences.txt"), await licencesOf(Object.keys(metafile.inputs), room));
await chmod(join(directory, "main.js"), 0o755);
if (existsSync(page)) {
  await cp(page, join(directory, "web"), { recursive: true });
  await saveType("web/assets", "module");
}
await writeFile(
  join(directory, "session-cli.1"),
  execFileSync(process.execPath, [join(directory, "main.js"), "__manual"]),
);
await recordCodeCache(directory);

/** Says of what kind the .js files of a folder are, for Node and for tools that look at packages. */
async function saveType(folder, type) {
  await writeFile(join(directory, folder, "package.json"), `${JSON.stringify({ type })}\n`);
}

/**
 * Makes a bundle what src/bundle.ts takes it for: imports of what is outside go through the function that it gives, whose
 * name is as long, and each byte is a character. What esbuild leaves of others is in regular expressions, which know the
 * same escapes.
 */
async function finish(name) {
  const path = join(directory, name);
  const [, { imports }] = Object.entries(metafile.outputs).find(([output]) => resolve(room, output) === path);
  let count = imports.filter(({ kind }) => kind === "dynamic-import").length;
  const code = await readFile(path, "utf8");
  const changed = code
    .replace(/\bimport\((?="[^"]+"\))/g, () => {
      count--;
      return "extern(";
    })
    .replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
  if (count !== 0) throw new Error(`The import() calls of ${name} are not where they were expected.`);
  await writeFile(path, changed);
}
