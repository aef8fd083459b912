import { join } from "node:path";
import { buildEverything } from "./build.mjs";
import { BINARY, ROOT } from "./root.mjs";
import { runTests } from "./run-tests.mjs";
import { setUp } from "./setup.mjs";

setUp();
buildEverything();

// Tests of the page and of the binary would build them once more.
process.env.SESSION_MANAGER_BUILT_PAGE = join(ROOT, "apps", "web", "dist");
process.env.SESSION_MANAGER_BUILT_BINARY = BINARY;

// A quarter of the cases of tests that make up their own, and of the killings. All of them: SESSION_MANAGER_TEST_SCALE=1.
process.env.SESSION_MANAGER_TEST_SCALE ??= "0.25";

process.exitCode = runTests(process.argv.slice(2));
