import { spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { ROOT } from "./root.mjs";

/** Standard output belongs to the service; everything that prepares it speaks on standard error. */
const ON_STDERR = ["inherit", 2, 2];

/** Writes a line for the person at the terminal. */
export function say(text) {
  process.stderr.write(`${text}\n`);
}

/** Ends the process with a message that says what to do. */
export function giveUp(text) {
  say(text);
  process.exit(1);
}

/** Runs a script with this Node and returns its exit code. */
export function runNode(args, options = {}) {
  return exitCode(spawnSync(process.execPath, args, { cwd: ROOT, stdio: "inherit", ...options }));
}

/** Runs a script with this Node beside others; resolves with its exit code and all that it has written. */
export function runNodeBeside(args) {
  const child = spawn(process.execPath, args, { cwd: ROOT, stdio: ["ignore", "pipe", "pipe"] });
  const written = [];
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (bytes) => written.push(bytes));
  return new Promise((resolve) => {
    child.once("error", ({ message }) => resolve({ exitCode: 1, output: `${message}\n` }));
    child.once("close", (code) => resolve({ exitCode: code ?? 1, output: Buffer.concat(written).toString() }));
  });
}

/** Runs a script with this Node, its output on standard error, and returns its exit code. */
export function runNodeQuietly(args, options = {}) {
  return runNode(args, { stdio: ON_STDERR, ...options });
}

/** Runs the pinned pnpm, which need not be installed, with its output on standard error; returns its exit code. */
export function runPnpm(args, env = process.env) {
  const { packageManager } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  const [pinned] = packageManager.split("+");
  // By its option: whoever runs this by npx has left another package in the environment.
  const npxArgs = ["--yes", `--package=${pinned}`, "--", "pnpm", ...args];
  const options = { cwd: ROOT, stdio: ON_STDERR, env };
  const npx = npxScript();
  if (npx !== null) return exitCode(spawnSync(process.execPath, [npx, ...npxArgs], options));
  // On Windows npx is a batch file, which only a shell runs.
  return exitCode(spawnSync("npx", npxArgs, { ...options, shell: process.platform === "win32" }));
}

/** Finds the JavaScript file of a development tool, which runs everywhere, unlike the scripts in `.bin`. */
export function toolScript(packageName, binName = packageName) {
  const folder = join(ROOT, "node_modules", packageName);
  const { bin } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  return join(folder, bin[binName]);
}

/** The npx that belongs to the npm which runs this script. */
function npxScript() {
  const npm = process.env.npm_execpath;
  if (npm === undefined || basename(npm) !== "npm-cli.js") return null;
  const npx = join(dirname(npm), "npx-cli.js");
  return existsSync(npx) ? npx : null;
}

function exitCode({ status, error }) {
  if (error !== undefined) say(error.message);
  return status ?? 1;
}
