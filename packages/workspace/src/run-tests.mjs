import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { runNode, toolScript } from "./run.mjs";

const DURATIONS = fileURLToPath(new URL("durations-reporter.mjs", import.meta.url));
const NOTHING = { passed: 0, failed: 0 };

/** Runs Vitest with these arguments, says at the end how many tests have passed, and returns the exit code. */
export function runTests(args) {
  const folder = mkdtempSync(join(tmpdir(), "session-manager-test-"));
  const report = join(folder, "report.json");
  try {
    const exitCode = runNode([
      toolScript("vitest"),
      "run",
      "--reporter=default",
      `--reporter=${DURATIONS}`,
      "--reporter=json",
      `--outputFile.json=${report}`,
      ...args,
    ]);
    const { passed, failed } = existsSync(report) ? count(JSON.parse(readFileSync(report, "utf8"))) : NOTHING;
    // Errors outside of tests make a run fail as well.
    process.stdout.write(`${passed} passed, ${exitCode === 0 ? failed : Math.max(failed, 1)} failed\n`);
    return exitCode;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function count({ numPassedTests, numFailedTests, testResults }) {
  // A file that cannot even be loaded has no failed tests of its own.
  const broken = testResults.filter(({ status, assertionResults }) => {
    return status === "failed" && assertionResults.every((test) => test.status !== "failed");
  });
  return { passed: numPassedTests, failed: numFailedTests + broken.length };
}
