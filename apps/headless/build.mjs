import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, cp, readFile, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { licencesOf } from "./licences.mjs";

// Bundles the program from the workspace's sources into dist or the given directory: main.js loads program.cjs;
// worker.js, started by the library as its threads, loads tasks.cjs; mcp.cjs is loaded when MCP is first spoken, and hub.cjs by the servers of a hub. Includes the web page if apps/web is built.

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
  // CommonJS: starting Node's ES module loader takes 7 ms in the main thread and 5 in a worker.
  format: "cjs",
  define: {
    SESSION_MANAGER_VERSION: JSON.stringify(manifest.version),
    "import.meta.url": "bundleUrl",
  },
  banner: { js: 'const bundleUrl=require("node:url").pathToFileURL(__filename).href;' },
  // For a faster start; names are kept, so that stack traces are readable.
  minifySyntax: true,
  minifyWhitespace: true,
  sourcemap: "linked",
  legalComments: "linked",
  metafile: true,
  logLevel: "warning",
};

/** Leaves the SDK of MCP to a bundle of its own, which is loaded when somebody speaks it. */
const mcpApart = {
  name: "mcp-apart",
  setup(bundle) {
    bundle.onResolve({ filter: /^\.\/protocol\.ts$/ }, ({ importer }) =>
      importer.includes("transport-mcp") ? { path: "./mcp.cjs", external: true } : undefined,
    );
  },
};

/** Leaves what only a hub needs to a bundle of its own: at home nobody loads PostgreSQL's client. */
const hubApart = {
  name: "hub-apart",
  setup(bundle) {
    bundle.onResolve({ filter: /^@sm\/hub$/ }, () => ({ path: "./hub.cjs", external: true }));
  },
};

await rm(directory, { recursive: true, force: true });
await build({ ...settings, entryPoints: { main: "src/main.ts", worker: "src/worker.ts" } });
await saveType("", "commonjs");
const bundles = {
  ...settings,
  outExtension: { ".js": ".cjs" },
  // The CommonJS build of jsonc-parser requires its parts in a way that bundlers cannot resolve.
  mainFields: ["module", "main"],
  external: Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies }),
};
const built = await Promise.all([
  build({
    ...bundles,
    entryPoints: { program: "src/run.ts", tasks: "../../packages/core/src/node/worker/worker.ts" },
    plugins: [mcpApart, hubApart],
  }),
  build({ ...bundles, entryPoints: { hub: "../../packages/hub/src/index.ts" }, plugins: [mcpApart] }),
  build({ ...bundles, entryPoints: { mcp: "../../packages/transport-mcp/src/protocol.ts" } }),
]);
const inputs = new Set(built.flatMap(({ metafile }) => Object.keys(metafile.inputs)));
await writeFile(join(directory, "licences.txt"), await licencesOf([...inputs], room));
await chmod(join(directory, "main.js"), 0o755);
if (existsSync(page)) {
  await cp(page, join(directory, "web"), { recursive: true });
  await saveType("web/assets", "module");
}
await writeFile(
  join(directory, "session-cli.1"),
  execFileSync(process.execPath, [join(directory, "main.js"), "__manual"]),
);

/** Declares the module type of a folder's .js files. */
async function saveType(folder, type) {
  await writeFile(join(directory, folder, "package.json"), `${JSON.stringify({ type })}\n`);
}
