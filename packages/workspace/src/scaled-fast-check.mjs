// Stands in for fast-check in all tests. SESSION_MANAGER_TEST_SEED: the same cases in every run;
// SESSION_MANAGER_TEST_SCALE: the share of the cases that a test asks for, 1 if absent.
import fc from "../../../node_modules/fast-check/lib/fast-check.js";

const { SESSION_MANAGER_TEST_SEED: seed, SESSION_MANAGER_TEST_SCALE: scale = "1" } = process.env;
const USUAL_RUNS = 100;

if (seed) fc.configureGlobal({ seed: Number(seed) });

export * from "../../../node_modules/fast-check/lib/fast-check.js";

/** This one stands before the one that is exported with all others. */
export function assert(property, parameters = {}) {
  const { numRuns = USUAL_RUNS } = parameters;
  return fc.assert(property, { ...parameters, numRuns: Math.ceil(numRuns * Number(scale)) });
}

export default { ...fc, assert };
