import { runNode } from "./run.mjs";
import { setUp } from "./setup.mjs";

setUp();
process.exitCode = runNode(["packages/reference/write.mjs"]);
