import { stripVTControlCharacters } from "node:util";

const MAX_FILES = 10;

const MAX_REASON = 300;

/**
 * Lists at the end of a run how long each suite took, its slowest files, the tests that passed at the second try, the
 * seed of made-up cases, and what failed: the end of a log is what is read first, or all that is left of it.
 */
export default class DurationsReporter {
  onTestRunEnd(modules) {
    const files = modules.map((module) => {
      const { collectDuration, setupDuration, duration } = module.diagnostic();
      return { module, suite: module.project.name, ms: collectDuration + setupDuration + duration };
    });
    const suites = new Map();
    for (const { suite, ms } of files) suites.set(suite, (suites.get(suite) ?? 0) + ms);
    print("Time by suite, added up over files of which several run at once:", [...suites].map(inSeconds));

    const slowest = files.toSorted((one, other) => other.ms - one.ms).slice(0, MAX_FILES);
    print(
      "Slowest files:",
      slowest.map(({ module, ms }) => inSeconds([module.relativeModuleId, ms])),
    );

    const triedAgain = modules.flatMap((module) => [...module.children.allTests()].filter(isFlaky));
    print(
      "Passed at the second try only:",
      triedAgain.map((test) => `${test.module.relativeModuleId}: ${test.fullName}`),
    );

    const { SESSION_MANAGER_TEST_SEED: seed, SESSION_MANAGER_TEST_SCALE: scale = "1" } = process.env;
    print("Of what tests make up:", [`SESSION_MANAGER_TEST_SEED=${seed} SESSION_MANAGER_TEST_SCALE=${scale}`]);

    const failed = modules.flatMap((module) => [
      ...module.errors().map((error) => `${module.relativeModuleId}: ${reasonOf(error)}`),
      ...[...module.children.allTests("failed")].map(
        (test) => `${module.relativeModuleId}: ${test.fullName}: ${test.result().errors.map(reasonOf).join(" | ")}`,
      ),
    ]);
    print("Failed:", failed);
  }
}

/** The beginning of the message, in one line and without colours. */
function reasonOf({ message }) {
  return stripVTControlCharacters(message).replace(/\s+/g, " ").slice(0, MAX_REASON);
}

function isFlaky(test) {
  return test.diagnostic()?.flaky ?? false;
}

function inSeconds([name, ms]) {
  return `${(ms / 1000).toFixed(1).padStart(7)} s  ${name}`;
}

function print(title, lines) {
  if (lines.length > 0) process.stdout.write(`\n${title}\n${lines.map((line) => `  ${line}\n`).join("")}`);
}
