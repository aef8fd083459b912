import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { buildEverything } from "./build.mjs";
import { writeFigures } from "./figures.mjs";
import { ROOT } from "./root.mjs";
import { giveUp, runPnpm, say } from "./run.mjs";
import { setUp } from "./setup.mjs";

/** Names the folders of the packages that are published, relative to the root. */
export function publishedFolders() {
  return ["apps", "packages"]
    .flatMap((folder) => readdirSync(join(ROOT, folder)).map((name) => join(folder, name)))
    .filter((folder) => existsSync(join(ROOT, folder, "package.json")))
    .filter((folder) => JSON.parse(readFileSync(join(ROOT, folder, "package.json"), "utf8")).private !== true);
}

/**
 * Packs what is built, as it would be published: with pnpm, which alone applies publishConfig. Returns the paths of the
 * tarballs.
 */
export function packPublished(directory) {
  mkdirSync(directory, { recursive: true });
  const filters = publishedFolders().map((folder) => `--filter=./${folder.replaceAll("\\", "/")}`);
  if (runPnpm([...filters, "pack", "--pack-destination", directory]) !== 0) giveUp("Packing failed, see above.");
  return readdirSync(directory)
    .filter((name) => name.endsWith(".tgz"))
    .map((name) => join(directory, name));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [directory, ...flags] = process.argv.slice(2);
  if (directory === undefined)
    giveUp("Say where to: node packages/workspace/src/pack.mjs <directory> [--built] [--figures]");
  if (!flags.includes("--built")) {
    setUp();
    buildEverything();
  }
  const tarballs = packPublished(resolve(directory));
  for (const tarball of tarballs) say(tarball);
  if (flags.includes("--figures")) writeFigures(tarballs);
}
