import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { buildBinary } from "./build.mjs";
import { BINARY, ROOT } from "./root.mjs";
import { giveUp, runNode, say } from "./run.mjs";
import { runTests } from "./run-tests.mjs";
import { setUp } from "./setup.mjs";

// Servers of a hub of an older version and of this one, with the same database: the older one is built from its commit.
const [commit, ...rest] = process.argv.slice(2);
if (commit === undefined) giveUp("Say which version is there before: npm run test:upgrade -- <commit>");
setUp();
buildBinary();
process.env.SESSION_MANAGER_BUILT_BINARY = BINARY;
process.env.SESSION_MANAGER_OLD_BINARY = buildOld(commit);
process.exitCode = runTests(["packages/conformance/src/rolling-upgrade.test.ts", ...rest]);

/** Builds a version beside others in the cache, once. */
function buildOld(name) {
  const id = execFileSync("git", ["rev-parse", "--verify", `${name}^{commit}`], { cwd: ROOT, encoding: "utf8" }).trim();
  const cache = process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache");
  const folder = join(cache, "session-manager", "versions", id);
  const binary = join(folder, "apps", "headless", "dist", "main.js");
  if (existsSync(binary)) return binary;
  say(`Building ${id}.`);
  mkdirSync(folder, { recursive: true });
  const archive = execFileSync("git", ["archive", id], { cwd: ROOT, maxBuffer: 1024 ** 3 });
  execFileSync("tar", ["-x", "-C", folder], { input: archive });
  for (const [module, name] of [
    ["setup", "setUp"],
    ["build", "buildBinary"],
  ]) {
    const script = `import("./packages/workspace/src/${module}.mjs").then((all) => all.${name}())`;
    if (runNode(["--eval", script], { cwd: folder }) !== 0) giveUp("Building the older version failed, see above.");
  }
  return binary;
}
