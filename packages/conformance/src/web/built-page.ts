import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, statSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const ROOT = fileURLToPath(new URL("../../../..", import.meta.url));
const WEB = join(ROOT, "apps", "web");
const BUILDS = join(ROOT, "packages", "conformance", "node_modules", ".web-builds");

/** What the page is made of. */
const SOURCES = [WEB, join(ROOT, "packages", "core", "src"), join(ROOT, "packages", "router", "src")];
const NO_SOURCES = new Set(["node_modules", "dist", ".turbo"]);

const HOUR_MS = 3_600_000;

/**
 * Builds the page from its sources, once for all test files and runs that find these as they are; gives its directory.
 * Whoever has just built everything says where the page is with `SESSION_MANAGER_BUILT_PAGE`.
 */
export async function buildPage(): Promise<string> {
  const { SESSION_MANAGER_BUILT_PAGE: built } = process.env;
  if (built !== undefined) return built;
  const stamps = JSON.stringify(SOURCES.flatMap(stampsIn));
  const directory = join(BUILDS, createHash("sha256").update(stamps).digest("hex").slice(0, 16));
  if (existsSync(directory)) return directory;
  await mkdir(BUILDS, { recursive: true });
  await forgetOldBuilds();
  const unfinished = await mkdtemp(join(BUILDS, "unfinished-"));
  const vite = join(WEB, "node_modules", "vite", "bin", "vite.js");
  const build = [vite, "build", "--logLevel=error", "--outDir", unfinished, "--emptyOutDir"];
  // The test runner's own environment would make it React's development build.
  const env = { ...process.env, NODE_ENV: "production" };
  await promisify(execFile)(process.execPath, build, { cwd: WEB, env });
  try {
    await rename(unfinished, directory);
  } catch (error) {
    // Another test file was faster.
    if (!existsSync(directory)) throw error;
    await rm(unfinished, { recursive: true });
  }
  return directory;
}

async function forgetOldBuilds(): Promise<void> {
  for (const name of await readdir(BUILDS)) {
    const path = join(BUILDS, name);
    const { mtimeMs } = await stat(path);
    if (Date.now() - mtimeMs > HOUR_MS) await rm(path, { recursive: true, force: true });
  }
}

function stampsIn(folder: string): [path: string, size: number, time: number][] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return NO_SOURCES.has(entry.name) ? [] : stampsIn(path);
    const { size, mtimeMs } = statSync(path);
    return [[path, size, mtimeMs]];
  });
}
