import { mkdir, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

// Writes docs/api from the registry in the workspace's sources.

const room = fileURLToPath(new URL(".", import.meta.url));

await build({
  absWorkingDir: room,
  entryPoints: ["src/files.ts"],
  outdir: "dist",
  bundle: true,
  format: "esm",
  platform: "node",
  target: "node20",
  conditions: ["@sm/source"],
  logLevel: "warning",
});
const { referenceFiles } = await import("./dist/files.js");

const docs = new URL("../../docs/api/", import.meta.url);
await mkdir(docs, { recursive: true });
for (const [name, text] of Object.entries(referenceFiles())) await writeFile(new URL(name, docs), text);
