import { copyFileSync, cpSync, existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, extname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { buildBinary } from "./build.mjs";
import { layOutDependencies, readManifest } from "./dependencies.mjs";
import { ROOT } from "./root.mjs";
import { giveUp, runNode, say } from "./run.mjs";
import { setUp } from "./setup.mjs";

const HEADLESS = join(ROOT, "apps", "headless");
const LICENCE = /^licen[cs]e/i;
const LOADED = new Set([".cjs", ".dll", ".exe", ".js", ".json", ".mjs", ".node"]);

/** In packages that are compiled: what is compiled from, what that leaves behind, what is copied into place by it. */
const OF_COMPILING = /^(?:src|scripts|third_party|build\/(?!Release$)[^/]+|build\/Release\/.+)$/;
const PACKAGES_FOR_INSTALLATION = new Set(["node-addon-api", "prebuild-install"]);

/** Loads both native libraries; node-pty may be missing. */
const CHECK = `
new (require("better-sqlite3"))(":memory:").close();
try { require("node-pty"); } catch { console.error("node-pty cannot be loaded: this server will have no terminals."); }
`;

/**
 * Puts the server into a folder: the binary with the page, and of the packages that it needs, as installed here, what
 * is loaded when it runs. The folder needs only a Node of the version and platform that runs this.
 *
 * A former stage is replaced; any other folder must be empty.
 */
export function stageServer(directory) {
  setUp();
  buildBinary();
  const stage = resolve(directory);
  makeRoom(stage);
  const { devDependencies, scripts, files, ...manifest } = readManifest(HEADLESS);
  writeFileSync(join(stage, "package.json"), `${JSON.stringify({ ...manifest, private: true }, null, 2)}\n`);
  copyFileSync(join(ROOT, "LICENSE"), join(stage, "LICENSE"));
  const isNoMap = (path) => extname(path) !== ".map";
  cpSync(join(HEADLESS, "dist"), join(stage, "dist"), { recursive: true, filter: isNoMap });
  copyDependencies(stage);
  if (runNode(["-e", CHECK], { cwd: stage }) !== 0) giveUp(`The server in ${stage} does not load, see above.`);
}

function makeRoom(stage) {
  if (existsSync(stage) && readdirSync(stage).length > 0) {
    if (!isStage(stage)) giveUp(`${stage} is not empty, and what is in it is no staged server.`);
    rmSync(stage, { recursive: true });
  }
  mkdirSync(stage, { recursive: true });
}

/** The folder that the server is built in has its name too, but is not private. */
function isStage(folder) {
  if (!existsSync(join(folder, "package.json"))) return false;
  const { name, private: isPrivate } = readManifest(folder);
  return name === readManifest(HEADLESS).name && isPrivate === true;
}

function copyDependencies(stage) {
  const options = { leftOut: PACKAGES_FOR_INSTALLATION, mayMiss: true };
  for (const { source, path } of layOutDependencies(HEADLESS, options)) {
    copyPackage(source, join(stage, path));
  }
}

function copyPackage(source, target, below = "") {
  const isCompiled = existsSync(join(source, "binding.gyp"));
  for (const entry of readdirSync(join(source, below), { withFileTypes: true })) {
    const path = below === "" ? entry.name : `${below}/${entry.name}`;
    if (entry.isDirectory()) {
      const isWanted = path !== "node_modules" && isOfPlatform(path) && !(isCompiled && OF_COMPILING.test(path));
      if (isWanted) copyPackage(source, target, path);
    } else if (isLoaded(source, path)) {
      mkdirSync(dirname(join(target, path)), { recursive: true });
      copyFileSync(join(source, path), join(target, path));
    }
  }
}

function isOfPlatform(folder) {
  const platform = /^prebuilds\/([^/]+)$/.exec(folder)?.[1];
  return platform === undefined || platform === `${process.platform}-${process.arch}`;
}

function isLoaded(source, path) {
  const name = basename(path);
  if (LICENCE.test(name)) return true;
  if (/\.test\.[cm]?js$/.test(name)) return false;
  const extension = extname(name);
  // Programs without an extension, such as the one that starts others on macOS.
  if (extension === "") return (statSync(join(source, path)).mode & 0o111) !== 0;
  return LOADED.has(extension);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const directory = process.argv[2];
  if (directory === undefined) giveUp("Say where to: node packages/workspace/src/stage.mjs <directory>");
  stageServer(directory);
  const { files, bytes } = measureFolder(resolve(directory));
  say(`The server is in ${resolve(directory)}: ${files} files, ${(bytes / 1e6).toFixed(1)} MB.`);
}

function measureFolder(folder) {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const sizes = files.map((entry) => statSync(join(entry.parentPath, entry.name)).size);
  return { files: files.length, bytes: sizes.reduce((sum, size) => sum + size, 0) };
}
