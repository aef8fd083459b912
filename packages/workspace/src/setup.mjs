import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ROOT } from "./root.mjs";
import { giveUp, runNode, runPnpm, say } from "./run.mjs";

const STAMP = join(ROOT, "node_modules", ".session-manager-setup.json");
const OLDEST_NODE = 20;

/** Scripts that fail where a native library cannot be loaded. */
const SQLITE = "new (require('better-sqlite3'))(':memory:').close()";
const NODE_PTY = "require('node-pty')";

/** Installs the dependencies unless what is installed is current. */
export function setUp() {
  const [major] = process.versions.node.split(".");
  if (Number(major) < OLDEST_NODE) {
    giveUp(`Session Manager needs Node ${OLDEST_NODE} or newer, and this is Node ${process.versions.node}.`);
  }
  const wanted = describeInstallation();
  if (existsSync(STAMP) && readFileSync(STAMP, "utf8") === wanted) return;
  say("Installing dependencies. The first time takes a minute or two, because SQLite and node-pty are compiled.");
  if (runPnpm(["install", "--frozen-lockfile", "--config.confirmModulesPurge=false"], installEnvironment()) !== 0) {
    giveUp(
      "Installing failed, see above. It needs the npm registry (npm ping shows whether it answers) and, to compile " +
        "SQLite, Python 3, make and a C++ compiler. Then start again.",
    );
  }
  // What another version of Node has compiled counts as installed but cannot be loaded.
  if (!loads(SQLITE)) {
    say("Compiling SQLite for this version of Node.");
    runPnpm(["rebuild", "--recursive", "better-sqlite3"], installEnvironment());
    if (!loads(SQLITE)) giveUp("SQLite cannot be loaded. Remove all node_modules folders and start again.");
  }
  if (!loads(NODE_PTY)) {
    say("Compiling node-pty for this version of Node.");
    runPnpm(["rebuild", "--recursive", "node-pty"], installEnvironment());
    if (!loads(NODE_PTY)) say("node-pty cannot be loaded, see above: there will be no terminals; all else works.");
  }
  writeFileSync(STAMP, wanted);
}

/** Everything that an installation depends on. */
function describeInstallation() {
  const hash = createHash("sha256");
  for (const file of ["pnpm-lock.yaml", "pnpm-workspace.yaml", "package.json", ...manifests()]) {
    hash.update(`${file}\0`).update(readFileSync(join(ROOT, file)));
  }
  const { platform, arch, versions } = process;
  return `${JSON.stringify({ files: hash.digest("hex"), platform, arch, modules: versions.modules })}\n`;
}

function manifests() {
  return ["apps", "packages"].flatMap((folder) =>
    readdirSync(join(ROOT, folder))
      .map((name) => `${folder}/${name}/package.json`)
      .filter((file) => existsSync(join(ROOT, file))),
  );
}

/** node-gyp would download Node's headers, which a closed network refuses, although most installations hold them. */
export function installEnvironment() {
  const prefix = dirname(dirname(realpathSync(process.execPath)));
  // npm's package "node" links the program alone, out of another package.
  const prefixes = [prefix, join(prefix, "node_modules", `node-${process.platform}-${process.arch}`)];
  const nodedir = prefixes.find((each) => existsSync(join(each, "include", "node", "node.h")));
  return nodedir === undefined ? process.env : { ...process.env, npm_config_nodedir: nodedir };
}

function loads(script) {
  return runNode(["-e", script], { cwd: join(ROOT, "apps", "headless"), stdio: "ignore" }) === 0;
}
