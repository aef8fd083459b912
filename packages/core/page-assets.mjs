import { createHash } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

// Writes src/export/html/assets.ts: the styles and the script of exported pages as constants, since the exporter is to
// run where there are no files. A page allows them by their hashes.

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

/** Makes the text of assets.ts. */
export async function pageAssets() {
  const style = await bundle("style.css");
  const script = await bundle("main.ts");
  return [
    "// Written by `npm run reference` from the folder page.",
    ...constants("PAGE_STYLE", style),
    ...constants("PAGE_SCRIPT", script),
    ...constants("INDEX_STYLE", await bundle("index.css")),
    "",
  ].join("\n");
}

async function bundle(name) {
  const result = await build({
    entryPoints: [here(`src/export/html/page/${name}`)],
    bundle: true,
    write: false,
    minify: true,
    format: "iife",
    platform: "browser",
    target: ["chrome123", "firefox120", "safari17.5"],
    // The page is UTF-8.
    charset: "utf8",
    logLevel: "warning",
  });
  const text = result.outputFiles[0]?.text.trim() ?? "";
  // These would end the element that the text stands in.
  if (/<\/(?:style|script)|<!--/i.test(text)) throw new Error(`${name} cannot stand in a page.`);
  return text;
}

function constants(name, text) {
  const hash = createHash("sha256").update(text).digest("base64");
  return [`export const ${name} = ${JSON.stringify(text)};`, `export const ${name}_HASH = "sha256-${hash}";`];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await writeFile(here("src/export/html/assets.ts"), await pageAssets());
}
