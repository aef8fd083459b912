import { pathToFileURL } from "node:url";
import { buildBinary } from "./build.mjs";
import { BINARY } from "./root.mjs";
import { setUp } from "./setup.mjs";

setUp();
buildBinary();
if (process.env.npm_lifecycle_event !== undefined) endWithParent();
// In this process, so that signals reach the service and its exit code is the exit code.
await import(pathToFileURL(BINARY).href);

/** npm hands SIGTERM to the shell that it runs scripts in, and the shell dies of it without telling anybody. */
function endWithParent() {
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    process.kill(process.pid, "SIGTERM");
  }, 200);
  watch.unref();
}
