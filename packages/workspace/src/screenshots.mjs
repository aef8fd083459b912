import { join } from "node:path";
import { buildBinary } from "./build.mjs";
import { ROOT } from "./root.mjs";
import { giveUp, runNode, runNodeQuietly } from "./run.mjs";
import { setUp } from "./setup.mjs";

setUp();
buildBinary();
if (runNodeQuietly(["packages/bench/build.mjs"]) !== 0) giveUp("Building the pictures' program failed, see above.");
const directory = join(ROOT, "docs", "screenshots");
process.exitCode = runNode(["packages/bench/dist/screenshots.js", directory, ...process.argv.slice(2)]);
