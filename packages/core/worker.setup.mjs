// Tests take everything from the sources but the worker thread, which Node 20 cannot run from TypeScript.
export { buildWorker as setup } from "./build.mjs";
