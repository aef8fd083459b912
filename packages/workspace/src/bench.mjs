import { buildBinary } from "./build.mjs";
import { giveUp, runNode, runNodeQuietly } from "./run.mjs";
import { setUp } from "./setup.mjs";

setUp();
buildBinary();
if (runNodeQuietly(["packages/bench/build.mjs"]) !== 0) giveUp("Building the benches failed, see above.");
process.exitCode = runNode(["packages/bench/dist/main.js", ...process.argv.slice(2)]);
