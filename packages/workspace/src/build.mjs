import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { BINARY, ROOT } from "./root.mjs";
import { giveUp, runNodeQuietly, runPnpm, say } from "./run.mjs";

const STAMP = join(ROOT, "node_modules", ".session-manager-build.json");
const NO_SOURCES = new Set(["node_modules", "dist", ".turbo", "npm-shrinkwrap.json"]);

/** Builds the headless binary, with the page, unless no source has changed since. */
export function buildBinary() {
  const sources = JSON.stringify(describeSources());
  if (existsSync(BINARY) && existsSync(STAMP) && readFileSync(STAMP, "utf8") === sources) return;
  say("Building.");
  const web = join(ROOT, "apps", "web");
  const vite = join(web, "node_modules", "vite", "bin", "vite.js");
  const steps = [
    () => runNodeQuietly([vite, "build", "--logLevel=warn"], { cwd: web }),
    () => runNodeQuietly(["apps/headless/build.mjs"]),
  ];
  if (steps.some((run) => run() !== 0)) giveUp("Building failed, see above.");
  writeFileSync(STAMP, sources);
}

/** Builds every package as it would be published, and the binary. */
export function buildEverything() {
  const sources = JSON.stringify(describeSources());
  const env = { ...process.env, TURBO_TELEMETRY_DISABLED: "1" };
  // Tests leave chunks of their worker there, which turbo does not remove when it restores a build.
  rmSync(join(ROOT, "packages", "core", "dist"), { recursive: true, force: true });
  if (runPnpm(["exec", "turbo", "run", "build", "--output-logs=errors-only"], env) !== 0) {
    giveUp("Building failed, see above.");
  }
  writeFileSync(STAMP, sources);
}

/** Path, size and time of every file that a build could read. */
function describeSources() {
  return ["apps", "packages"].flatMap((folder) =>
    readdirSync(join(ROOT, folder)).flatMap((name) => describeFolder(join(ROOT, folder, name))),
  );
}

function describeFolder(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (NO_SOURCES.has(entry.name)) return [];
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return describeFolder(path);
    const { size, mtimeMs } = statSync(path);
    return [[path, size, mtimeMs]];
  });
}
