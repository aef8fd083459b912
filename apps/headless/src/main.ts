#!/usr/bin/env node
import { startSpareWorker } from "@sm/server/early";
import { SUBCOMMANDS } from "./subcommands.ts";

// What serving needs takes its time, and a machine has two cores: the worker starts, and the server is loaded, while
// the command line is read. Subcommands need neither; where a flag's value has the name of one, both come later.
if (!process.argv.some((argument) => SUBCOMMANDS.has(argument))) {
  startSpareWorker();
  // Whoever waits for it is told why it fails.
  import("./serve.ts").catch(() => undefined);
}
const { run } = await import("./run.ts");
await run();
