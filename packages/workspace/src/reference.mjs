import { runNode } from "./run.mjs";
import { setUp } from "./setup.mjs";

setUp();
const writers = ["packages/core/page-assets.mjs", "packages/reference/write.mjs"];
process.exitCode = writers.map((script) => runNode([script])).find((code) => code !== 0) ?? 0;
