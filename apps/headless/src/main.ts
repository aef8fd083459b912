#!/usr/bin/env node
import { type Flags, readSettings, StartError } from "@sm/server";
import { prepareDemo } from "./demo/demo.ts";
import { parseCommandLine } from "./flags.ts";
import { endProcess, serve } from "./serve.ts";

/** Set by the build from package.json. */
declare const SESSION_MANAGER_VERSION: string;

async function main(): Promise<void> {
  const { flags, demo } = parseCommandLine(process.argv.slice(2), SESSION_MANAGER_VERSION);
  const demoFlags: Flags = demo ? await prepareDemo() : {};
  await serve(readSettings({ ...flags, ...demoFlags }, process.env), SESSION_MANAGER_VERSION);
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof StartError ? error.message : (error as Error).stack}\n`);
  endProcess(1);
});
