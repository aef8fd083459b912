import { execFile, execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, realpathSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Manifest, Packed } from "./packed.ts";
import { serveRegistry } from "./registry.ts";

const runFile = promisify(execFile);

export const ROOT = fileURLToPath(new URL("../../../..", import.meta.url));

/** Whether npm is to install from the registry and to compile, as it does for somebody else. It takes minutes. */
export const IS_REAL = process.env.SESSION_MANAGER_REAL_INSTALL === "1";

/** On a machine that has other things to do as well. */
export const MAX_INSTALLATION_MS = IS_REAL ? 1_500_000 : 300_000;
export const MAX_RUN_MS = 120_000;

/** Packs every package that is published, as it is built. */
export function packAll(folder: string): Packed[] {
  runNode([join(ROOT, "packages/workspace/src/pack.mjs"), folder, "--built"], ROOT);
  return readdirSync(folder).map((name) => {
    const tarball = join(folder, name);
    const manifest = execFileSync("tar", ["-xzOf", tarball, "package/package.json"], { encoding: "utf8" });
    return { tarball, manifest: JSON.parse(manifest) as Manifest };
  });
}

/**
 * Installs session-cli into a folder: by npm from a registry, or from its tarball with the dependencies as they are
 * compiled here, which is what npm would make of it.
 */
export async function installCommand(packed: Packed, folder: string): Promise<void> {
  mkdirSync(folder);
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true }));
  if (IS_REAL) {
    await using registry = await serveRegistry(packed);
    const flags = ["--no-audit", "--no-fund", "--registry", registry.url];
    await runFile("npm", ["install", ...flags, packed.manifest.name], { cwd: folder });
    return;
  }
  const stage = join(folder, "stage");
  runNode([join(ROOT, "packages/workspace/src/stage.mjs"), stage], ROOT);
  const installed = unpack(packed, folder);
  renameSync(join(stage, "node_modules"), join(installed, "node_modules"));
  mkdirSync(join(folder, "node_modules", ".bin"));
  symlinkSync(join(installed, "dist", "main.js"), join(folder, "node_modules", ".bin", "session-cli"));
}

/**
 * Installs libraries into a folder as npm lays them out: their dependencies, as they are compiled here, side by side. Of
 * optional peers those alone are there that another library depends on.
 */
export function installLibraries(libraries: readonly Packed[], folder: string): void {
  mkdirSync(folder);
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }));
  for (const library of libraries) {
    unpack(library, folder);
    const source = join(ROOT, "packages", library.manifest.name.replace("@sm/", ""), "node_modules");
    const { dependencies, optionalDependencies } = library.manifest;
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const target = join(folder, "node_modules", name);
      if (!name.startsWith("@sm/") && !existsSync(target)) link(join(source, name), target);
    }
  }
}

/** Makes a package that is installed here known in another folder. */
export function link(source: string, target: string): void {
  mkdirSync(dirname(target), { recursive: true });
  symlinkSync(realpathSync(source), target, "junction");
}

function unpack({ tarball, manifest }: Packed, folder: string): string {
  const installed = join(folder, "node_modules", manifest.name);
  mkdirSync(installed, { recursive: true });
  execFileSync("tar", ["-xzf", tarball, "-C", installed, "--strip-components=1"]);
  return installed;
}

/** Runs a program to its end. */
export function run(cwd: string, env: NodeJS.ProcessEnv, program: string, args: readonly string[]) {
  return new Promise<{ code: unknown; stdout: string; stderr: string }>((resolve) => {
    execFile(program, args, { cwd, env, timeout: MAX_RUN_MS }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : error.code, stdout, stderr });
    });
  });
}

function runNode(args: string[], cwd: string): void {
  execFileSync(process.execPath, args, { cwd, stdio: ["ignore", "ignore", "pipe"] });
}
