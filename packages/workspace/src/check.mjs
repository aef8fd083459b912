import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { basename, join } from "node:path";
import { buildEverything } from "./build.mjs";
import { staleFigures } from "./figures.mjs";
import { packPublished } from "./pack.mjs";
import { wrongRooms } from "./rooms.mjs";
import { ROOT } from "./root.mjs";
import { runNodeBeside, toolScript } from "./run.mjs";
import { setUp } from "./setup.mjs";

/** What is compiled with other types than the rest: for browsers, for workers, or for all of them. */
const PROJECTS_APART = ["tsconfig.neutral.json", "tsconfig.page.json", "tsconfig.service-worker.json"];

setUp();
buildEverything();

const packages = ["apps", "packages"].flatMap((folder) =>
  readdirSync(join(ROOT, folder)).map((name) => join(folder, name)),
);
const projects = [
  // Sources import sources: a program for each package would check most files ten times.
  "tsconfig.types.json",
  join("apps", "web", "tsconfig.json"),
  ...packages.flatMap((folder) => PROJECTS_APART.map((name) => join(folder, name))),
].filter((path) => existsSync(join(ROOT, path)));

const folder = mkdtempSync(join(tmpdir(), "session-manager-check-"));
try {
  const tarballs = packPublished(folder);
  const results = await runSteps([
    ...projects.map((path) => tool(`types ${path}`, ["typescript", "tsc"], "--project", path)),
    tool("format and lint", ["@biomejs/biome", "biome"], "ci"),
    tool("dead code", ["knip"]),
    tool("boundaries", ["turbo"], "boundaries"),
    said("rooms", wrongRooms),
    said("figures", () =>
      staleFigures(tarballs).map(
        (page) => `The figures in ${page} are stale: run npm run pack -- ../tarballs --figures`,
      ),
    ),
    // As others would get them: what they export is there, for Node, bundlers and TypeScript.
    ...tarballs.flatMap((tarball) => [
      tool(`publint ${basename(tarball)}`, ["publint"], "run", tarball, "--strict"),
      tool(
        ...[`attw ${basename(tarball)}`, ["@arethetypeswrong/cli", "attw"]],
        ...[tarball, "--profile", "esm-only", "--format", "ascii"],
      ),
    ]),
  ]);
  process.stdout.write("\n");
  for (const { name, failed, seconds } of results) {
    process.stdout.write(`${failed ? "FAILED" : "ok    "} ${seconds.toFixed(1).padStart(6)} s  ${name}\n`);
  }
  process.exitCode = results.some(({ failed }) => failed) ? 1 : 0;
} finally {
  rmSync(folder, { recursive: true });
}

/** A step that runs a tool of development. */
function tool(name, [packageName, binName], ...args) {
  return { name, run: () => runNodeBeside([toolScript(packageName, binName), ...args]) };
}

/** A step that names problems; each is a line. */
function said(name, problems) {
  return {
    name,
    run: async () => {
      const lines = problems();
      return { exitCode: lines.length, output: lines.map((line) => `${line}\n`).join("") };
    },
  };
}

/** Runs as many steps at once as there are processors, and prints what each has written when it ends. */
async function runSteps(steps) {
  const results = [];
  const waiting = [...steps.entries()];
  async function work() {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [place, { name, run }] = next;
      const start = performance.now();
      const { exitCode, output } = await run();
      results[place] = { name, failed: exitCode !== 0, seconds: (performance.now() - start) / 1000 };
      process.stdout.write(`\n— ${name}\n${output}`);
    }
  }
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  return results;
}
