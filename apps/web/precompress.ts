import { readdir, readFile, writeFile } from "node:fs/promises";
import { extname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { Plugin } from "vite";

const TEXT = new Set([".css", ".html", ".js", ".json", ".svg", ".webmanifest"]);

/** Below this a compressed answer is hardly shorter. */
const MIN_BYTES = 512;

const toGzip = promisify(gzip);
const toBrotli = promisify(brotliCompress);

/** Writes a `.br` and a `.gz` beside every text that is built, so that the service has nothing to compress. */
export function precompress(): Plugin {
  let directory = "";
  return {
    name: "precompress",
    apply: "build",
    configResolved(config) {
      directory = resolve(config.root, config.build.outDir);
    },
    async writeBundle() {
      const entries = await readdir(directory, { recursive: true, withFileTypes: true });
      const texts = entries.filter((entry) => entry.isFile() && TEXT.has(extname(entry.name)));
      await Promise.all(texts.map((entry) => compress(join(entry.parentPath, entry.name))));
    },
  };
}

async function compress(path: string): Promise<void> {
  const bytes = await readFile(path);
  if (bytes.length < MIN_BYTES) return;
  const brotli = toBrotli(bytes, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } });
  await Promise.all([
    writeFile(`${path}.br`, await brotli),
    writeFile(`${path}.gz`, await toGzip(bytes, { level: 9 })),
  ]);
}
