import { buildEverything } from "./build.mjs";
import { runNode, toolScript } from "./run.mjs";
import { installEnvironment, setUp } from "./setup.mjs";

setUp();
buildEverything();

// As npm test does, but what is published is installed by npm: from the registry, with its native parts compiled.
const env = { ...installEnvironment(), SESSION_MANAGER_REAL_INSTALL: "1" };
const files = ["command", "sizes"].map((name) => `packages/conformance/src/install/${name}.test.ts`);
process.exitCode = runNode([toolScript("vitest"), "run", ...files], { env });
