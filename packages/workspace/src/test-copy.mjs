import { spawnSync } from "node:child_process";
import { chmodSync, copyFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, delimiter, dirname, join } from "node:path";
import { ROOT } from "./root.mjs";
import { giveUp } from "./run.mjs";
import { installEnvironment } from "./setup.mjs";

// Runs the suites that need no browser with the Node that runs this script, in a copy of the checkout: native modules are
// compiled for one version of Node, and those of the checkout stay as they are. pnpm keeps what it has compiled, so only
// the first run on a machine takes minutes for that.

const folder = mkdtempSync(join(tmpdir(), "session-manager-copy-"));
process.exitCode = 1;
try {
  // Some tests run as another account, which may enter neither this folder nor npm's.
  chmodSync(folder, 0o755);
  const node = copyNode(join(folder, "node"));
  const checkout = copyCheckout(join(folder, "checkout"));
  // The copy is no clone, where every test would count as changed.
  const args = ["packages/workspace/src/test-quick.mjs", "HEAD", "--project=process", ...process.argv.slice(2)];
  const env = { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH}` };
  process.exitCode = spawnSync(node, args, { cwd: checkout, env, stdio: "inherit" }).status ?? 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** With its headers, which the native modules are compiled with. */
function copyNode(target) {
  const program = join(target, "bin", basename(process.execPath));
  mkdirSync(dirname(program), { recursive: true });
  copyFileSync(process.execPath, program);
  const { npm_config_nodedir: prefix } = installEnvironment();
  if (prefix !== undefined) cpSync(join(prefix, "include"), join(target, "include"), { recursive: true });
  return program;
}

/** Everything but what Git ignores, and what was built, which is the same for every Node. */
function copyCheckout(target) {
  const args = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
  const { status, stdout } = spawnSync("git", args, { cwd: ROOT, encoding: "utf8", maxBuffer: 1 << 26 });
  if (status !== 0) giveUp("This is no clone, so nobody knows which files belong to it.");
  for (const path of stdout.split("\0")) {
    if (path === "" || !existsSync(join(ROOT, path))) continue;
    mkdirSync(dirname(join(target, path)), { recursive: true });
    copyFileSync(join(ROOT, path), join(target, path));
  }
  for (const folder of ["apps", "packages"].flatMap((name) =>
    readdirSync(join(ROOT, name)).map((one) => join(name, one)),
  )) {
    const built = join(folder, "dist");
    if (existsSync(join(ROOT, built))) cpSync(join(ROOT, built), join(target, built), { recursive: true });
  }
  return target;
}
