import { spawnSync } from "node:child_process";
import { ROOT } from "./root.mjs";
import { runTests } from "./run-tests.mjs";
import { setUp } from "./setup.mjs";

setUp();

// A tenth of the cases of tests that make up their own, of flipped bits and of the text that redaction has to get through.
process.env.SESSION_MANAGER_TEST_SCALE ??= "0.1";

// Tests run from the sources, so nothing is built but the worker thread, which the test runner does.
const [since = startOfChange(), ...rest] = process.argv.slice(2);
process.exitCode = runTests([
  "--project=unit",
  "--project=page",
  ...(hasChanges(since) ? [`--changed=${since}`] : []),
  ...rest,
]);

/** Where the branch left the one that it goes to; the last commit where nobody knows that one. */
function startOfChange() {
  return git("merge-base", "HEAD", "origin/main") ?? git("merge-base", "HEAD", "main") ?? "HEAD";
}

/** Where nothing has changed, all of them run: whoever has just cloned wants to see them. */
function hasChanges(since) {
  const changed = git("diff", "--name-only", since) ?? "";
  const added = git("ls-files", "--others", "--exclude-standard") ?? "";
  return changed + added !== "";
}

/** `null` where Git is not installed, this is no clone, or there is no such branch. */
function git(...args) {
  const { status, stdout } = spawnSync("git", args, { cwd: ROOT, encoding: "utf8" });
  return status === 0 ? stdout.trim() : null;
}
