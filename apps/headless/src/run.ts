import { type Flags, readSettings, StartError } from "@sm/server";
import { prepareDemo } from "./demo/demo.ts";
import { parseCommandLine } from "./flags.ts";
import { endProcess, serve } from "./serve.ts";

/** Set by the build from package.json. */
declare const SESSION_MANAGER_VERSION: string;

/** Does what the command line says; ends the process where that cannot be done. */
export async function run(): Promise<void> {
  try {
    const { flags, demo } = parseCommandLine(process.argv.slice(2), SESSION_MANAGER_VERSION);
    const demoFlags: Flags = demo ? await prepareDemo() : {};
    await serve(readSettings({ ...flags, ...demoFlags }, process.env), SESSION_MANAGER_VERSION);
  } catch (error) {
    process.stderr.write(`${error instanceof StartError ? error.message : (error as Error).stack}\n`);
    endProcess(1);
  }
}
