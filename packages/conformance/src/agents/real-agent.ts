import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { userInfo } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);

/** The releases of the agent that the tests run, oldest first. The README names them. */
export const AGENT_VERSIONS = ["0.74.2", "0.87.1", "1.5.2"] as const;
export type AgentVersion = (typeof AGENT_VERSIONS)[number];

/** A release of the agent, ready to run. */
export interface RealAgent {
  version: AgentVersion;
  /** Path of the Node that runs it: releases after 0.74.2 need 22.19 or newer. */
  node: string;
  /** Folder of its npm package, with `docs/`, `CHANGELOG.md` and, since 1.0, `schemas/`. */
  folder: string;
  /** Folder with the executable `pi`, for the front of a PATH. */
  programs: string;
  /** Path of the module with everything that the package exports; only `node` can import it. */
  library: string;
}

const PACKAGE = "@earendil-works/pi-coding-agent";
const NODE_VERSION = "22.23.3";
/** What the bundle of 1.5.2 imports from outside of it: to load extensions, and to look at pictures. */
const IMPORTED = ["jiti@2.7.0", "@silvia-odwyer/photon-node@0.3.4"];
/** Outlives the checkout: only the first run on a machine downloads. Tests of services have changed `HOME` by then. */
const CACHE = join(process.env.XDG_CACHE_HOME || join(userInfo().homedir, ".cache"), "session-manager", "agents");

/**
 * Installs a release of the agent from the npm registry, unless an earlier run has.
 *
 * @throws Error if the registry does not answer and nothing is installed yet.
 */
export async function installAgent(version: AgentVersion): Promise<RealAgent> {
  const [node, folder] = await Promise.all([nodeFor(version), packageOf(version)]);
  const bundle = version === "0.74.2" ? join(folder, "dist") : join(folder, "dist", "bundle");
  const programs = join(CACHE, folderName(version), "programs");
  await writeProgram(programs, "pi", `#!/bin/sh\nexec '${node}' '${join(bundle, "cli.js")}' "$@"\n`);
  return { version, node, folder, programs, library: join(bundle, "index.js") };
}

async function nodeFor(version: AgentVersion): Promise<string> {
  if (version === "0.74.2") return process.execPath;
  const folder = await installOnce(`node-${NODE_VERSION}`, (target) => npmInstall(target, `node@${NODE_VERSION}`));
  return join(folder, "node_modules", "node", "bin", "node");
}

async function packageOf(version: AgentVersion): Promise<string> {
  if (version === "0.74.2") return dirname(dirname(fileURLToPath(import.meta.resolve(PACKAGE))));
  const folder = await installOnce(folderName(version), async (target) => {
    // The tarball of 1.5.2 has nearly all of its dependencies bundled; the bundle of 0.87.1 imports some of them.
    if (version === "0.87.1") return npmInstall(target, "--ignore-scripts", `${PACKAGE}@${version}`);
    await npmInstall(target, "--ignore-scripts", ...IMPORTED);
    const { stdout } = await run("npm", ["pack", "--json", "--pack-destination", target, `${PACKAGE}@${version}`]);
    const [{ filename }] = JSON.parse(stdout) as [{ filename: string }];
    const destination = join(target, "node_modules", PACKAGE);
    await mkdir(destination, { recursive: true });
    await run("tar", ["-xzf", join(target, filename), "-C", destination, "--strip-components=1"]);
    await rm(join(target, filename));
  });
  return join(folder, "node_modules", PACKAGE);
}

/** Of what is installed: a machine that has an earlier choice installs the new one beside it. */
function folderName(version: AgentVersion): string {
  return version === "1.5.2" ? `pi-${version}-jiti-photon` : `pi-${version}`;
}

async function npmInstall(target: string, ...packages: string[]): Promise<void> {
  await run("npm", ["install", "--no-audit", "--no-fund", "--prefix", target, ...packages], { cwd: target });
}

/** Fills a folder of the cache. Processes that do so at the same time each fill one; the first to end is kept. */
async function installOnce(name: string, install: (target: string) => Promise<void>): Promise<string> {
  const folder = join(CACHE, name);
  if (existsSync(folder)) return folder;
  await mkdir(CACHE, { recursive: true });
  const target = await mkdtemp(join(CACHE, "installing-"));
  try {
    await install(target);
    await rename(target, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
  } finally {
    await rm(target, { recursive: true, force: true });
  }
  return folder;
}

/** Replaces the program at once: another process may be about to run it. */
async function writeProgram(folder: string, name: string, text: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const draft = join(folder, `.${name}-${process.pid}-${Math.random().toString(36).slice(2)}`);
  await writeFile(draft, text);
  await chmod(draft, 0o755);
  await rename(draft, join(folder, name));
}
