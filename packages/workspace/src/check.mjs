import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { buildEverything } from "./build.mjs";
import { ROOT } from "./root.mjs";
import { runNode, runPnpm, toolScript } from "./run.mjs";
import { setUp } from "./setup.mjs";

setUp();
buildEverything();

const packages = ["apps", "packages"]
  .flatMap((folder) => readdirSync(join(ROOT, folder)).map((name) => join(folder, name)))
  .filter((folder) => existsSync(join(ROOT, folder, "package.json")));
const projects = packages
  .flatMap((folder) => ["tsconfig", "tsconfig.neutral", "tsconfig.page"].map((name) => join(folder, `${name}.json`)))
  .filter((path) => existsSync(join(ROOT, path)));
const steps = [
  { name: "format and lint", run: () => runNode([toolScript("@biomejs/biome", "biome"), "ci"]) },
  { name: "dead code", run: () => runNode([toolScript("knip")]) },
  { name: "boundaries", run: () => runNode([toolScript("turbo"), "boundaries"]) },
  ...projects.map((path) => ({
    name: `types ${path}`,
    run: () => runNode([toolScript("typescript", "tsc"), "--project", path]),
  })),
  { name: "packages as published", run: checkPublished },
];

const results = steps.map(({ name, run }) => {
  process.stdout.write(`\n— ${name}\n`);
  const start = performance.now();
  const failed = run() !== 0;
  return { name, failed, seconds: (performance.now() - start) / 1000 };
});

process.stdout.write("\n");
for (const { name, failed, seconds } of results) {
  process.stdout.write(`${failed ? "FAILED" : "ok    "} ${seconds.toFixed(1).padStart(6)} s  ${name}\n`);
}
process.exitCode = results.some(({ failed }) => failed) ? 1 : 0;

/** Packs with pnpm, which alone applies publishConfig. */
function checkPublished() {
  const published = packages.filter((folder) => {
    return JSON.parse(readFileSync(join(ROOT, folder, "package.json"), "utf8")).private !== true;
  });
  const filters = published.map((folder) => `--filter=./${folder}`);
  return runPnpm(["--no-bail", ...filters, "exec", "node", toolScript("publint"), "run", ".", "--strict"]);
}
