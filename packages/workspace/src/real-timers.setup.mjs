import { beforeAll } from "vitest";

const NAMES = ["Date", "setTimeout", "clearTimeout", "setInterval", "clearInterval", "setImmediate", "clearImmediate"];

/** Those of the process, kept from before its first test file. */
const key = Symbol.for("session-manager.real-timers");
globalThis[key] ??= Object.fromEntries(NAMES.map((name) => [name, globalThis[name]]));

// Test files share the process. After files that use Vitest's fake timers, and put them back, the next file has now and then
// found them in place (4.1.12; six files did in one of four runs in random order), and waited for ever.
beforeAll(() => void Object.assign(globalThis, globalThis[key]));
