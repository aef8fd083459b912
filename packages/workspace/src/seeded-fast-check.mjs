// Stands in for fast-check where SESSION_MANAGER_TEST_SEED is set: the same cases in every run.
import fc from "../../../node_modules/fast-check/lib/fast-check.js";

fc.configureGlobal({ seed: Number(process.env.SESSION_MANAGER_TEST_SEED) });

export * from "../../../node_modules/fast-check/lib/fast-check.js";
export default fc;
