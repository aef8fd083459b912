import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildEverything } from "./build.mjs";
import { staleFigures } from "./figures.mjs";
import { packPublished } from "./pack.mjs";
import { wrongRooms } from "./rooms.mjs";
import { ROOT } from "./root.mjs";
import { runNode, toolScript } from "./run.mjs";
import { setUp } from "./setup.mjs";

setUp();
buildEverything();

const packages = ["apps", "packages"]
  .flatMap((folder) => readdirSync(join(ROOT, folder)).map((name) => join(folder, name)))
  .filter((folder) => existsSync(join(ROOT, folder, "package.json")));
const projects = packages
  .flatMap((folder) =>
    ["tsconfig", "tsconfig.neutral", "tsconfig.page", "tsconfig.service-worker"].map((name) =>
      join(folder, `${name}.json`),
    ),
  )
  .filter((path) => existsSync(join(ROOT, path)));
const steps = [
  { name: "format and lint", run: () => runNode([toolScript("@biomejs/biome", "biome"), "ci"]) },
  { name: "dead code", run: () => runNode([toolScript("knip")]) },
  { name: "rooms", run: checkRooms },
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

function checkRooms() {
  const wrong = wrongRooms();
  for (const problem of wrong) process.stdout.write(`${problem}\n`);
  return wrong.length;
}

/** Checks the packages as others would get them: what they export is there, for Node, bundlers and TypeScript. */
function checkPublished() {
  const folder = mkdtempSync(join(tmpdir(), "session-manager-check-"));
  try {
    const tarballs = packPublished(folder);
    const stale = staleFigures(tarballs);
    for (const page of stale) {
      process.stdout.write(`The figures in ${page} are stale: run npm run pack -- ../tarballs --figures\n`);
    }
    const failed = tarballs.filter((tarball) => {
      const publint = runNode([toolScript("publint"), "run", tarball, "--strict"]);
      const types = [
        toolScript("@arethetypeswrong/cli", "attw"),
        tarball,
        "--profile",
        "esm-only",
        "--format",
        "ascii",
      ];
      return [publint, runNode(types)].some((exitCode) => exitCode !== 0);
    });
    return failed.length + stale.length;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
