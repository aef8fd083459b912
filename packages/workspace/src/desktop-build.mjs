import { spawnSync } from "node:child_process";
import { chmodSync, copyFileSync, readdirSync, realpathSync, rmSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { CARGO_TARGET } from "./cargo.mjs";
import { ROOT } from "./root.mjs";
import { giveUp, say } from "./run.mjs";
import { stageServer } from "./stage.mjs";

const DESKTOP = join(ROOT, "apps", "desktop");
const OUTPUT = join(DESKTOP, "dist");
const SERVER = join(OUTPUT, "server");
const RUNTIME = join(OUTPUT, process.platform === "win32" ? "node.exe" : "node");

/** What people of a platform install. */
const BUNDLES = { darwin: "dmg", linux: "deb", win32: "msi" };

if (spawnSync("cargo", ["--version"], { stdio: "ignore" }).status !== 0) {
  giveUp("Building the desktop application needs Rust (https://rustup.rs), see docs/desktop.md.");
}
stageServer(SERVER);
copyRuntime();
const bundle = buildBundle();
say(`${bundle}: ${megabytes(bundle)} MB.`);

/** Copies the Node that runs this: the native libraries of the server are compiled for it. */
function copyRuntime() {
  const { variables } = process.config;
  const shared = Object.keys(variables).filter((name) => /^node_shared/.test(name) && variables[name] === true);
  if (shared.length > 0) {
    giveUp(
      `${process.execPath} needs libraries of this machine (${shared.join(", ")}), so that it runs nowhere else: ` +
        "build with a Node from https://nodejs.org.",
    );
  }
  rmSync(RUNTIME, { force: true });
  copyFileSync(realpathSync(process.execPath), RUNTIME);
  chmodSync(RUNTIME, 0o755);
  // Debug symbols are an eighth of it. What native libraries link to stays. On a Mac this would break its signature.
  if (process.platform === "linux") spawnSync("strip", [RUNTIME], { stdio: "ignore" });
  const check = spawnSync(RUNTIME, [join(SERVER, "dist", "main.js"), "--version"], { stdio: ["ignore", 2, 2] });
  if (check.status !== 0) giveUp("The copied Node does not run the server.");
}

function buildBundle() {
  const kind = BUNDLES[process.platform];
  if (kind === undefined) giveUp(`There is no package for ${process.platform}.`);
  const isBundle = (file) => file.endsWith(`.${kind}`);
  const folder = join(CARGO_TARGET, "release", "bundle", kind);
  rmSync(folder, { recursive: true, force: true });
  // Of another version.
  for (const file of readdirSync(OUTPUT).filter(isBundle)) rmSync(join(OUTPUT, file));
  const cli = join(DESKTOP, "node_modules", "@tauri-apps", "cli", "tauri.js");
  const resources = { [`${SERVER}/`]: "server/", [RUNTIME]: basename(RUNTIME) };
  const config = JSON.stringify({ bundle: { resources } });
  const build = spawnSync(process.execPath, [cli, "build", "--bundles", kind, "--config", config], {
    cwd: DESKTOP,
    stdio: ["ignore", 2, 2],
    env: { ...process.env, CARGO_TARGET_DIR: CARGO_TARGET },
  });
  if (build.status !== 0) giveUp("Building failed, see above.");
  const name = readdirSync(folder).find(isBundle);
  if (name === undefined) giveUp(`There is no .${kind} in ${folder}.`);
  const bundle = join(OUTPUT, name.replaceAll(" ", "-").toLowerCase());
  copyFileSync(join(folder, name), bundle);
  return bundle;
}

function megabytes(file) {
  return (statSync(file).size / 1e6).toFixed(1);
}
