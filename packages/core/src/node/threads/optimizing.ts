import { setFlagsFromString } from "node:v8";

/** How much of a function V8 runs before it considers to compile it with all optimizations; its own default. */
const USUAL_BUDGET = 66 * 1024;
const START_BUDGET = 1_000_000;

/** Node 20's V8 has the flag. Later ones (Node 22, 24) write to standard error that they do not know it. */
const HAS_BUDGET = Number.parseInt(process.versions.v8, 10) < 12;

/**
 * Has V8 put off all optimizing while a first page is read, since it is there before that pays: of the processor time
 * until then, a quarter went there, in threads of V8 that took the two cores from ours (measured).
 *
 * To be called when programs are loaded and threads have started, and not for long. Code that was compiled beforehand,
 * Node's own modules among it, is good for the settings of V8 that it was compiled with: under others a thread takes
 * twice as long to start.
 */
export function putOffOptimizing(): void {
  if (!HAS_BUDGET) return;
  setFlagsFromString(`--interrupt-budget=${START_BUDGET}`);
}

/** Has V8 optimize as usual from now on. */
export function optimizeAsUsual(): void {
  if (!HAS_BUDGET) return;
  setFlagsFromString(`--interrupt-budget=${USUAL_BUDGET}`);
}
