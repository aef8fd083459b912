import { startHub } from "@sm/hub";
import type { Settings } from "@sm/server";
import { holdOutput } from "./held-output.ts";
import type { ServeOptions } from "./program.ts";
import { exitOnDefects, stopOnSignals, WEB } from "./serve.ts";

/**
 * Serves a hub until a signal arrives. Resolves when requests are accepted.
 *
 * @throws {StartError} for problems that the user must fix.
 */
export async function serveHub(
  settings: Settings,
  version: string,
  { store, isQuiet }: Pick<ServeOptions, "isQuiet"> & { store: string },
): Promise<void> {
  const output = holdOutput((text) => process.stdout.write(text));
  process.stdout.on("error", () => {});
  process.stderr.on("error", () => {});
  const starting = startHub({ version, settings, store, web: WEB, output });
  stopOnSignals(starting);
  try {
    const hub = await starting;
    exitOnDefects(hub);
    output.release(`Session Manager is a hub on ${hub.url}`);
    if (hub.firstToken !== null) {
      // Not on standard output, where the log follows.
      process.stderr.write(`The token of its owner, which is shown only now:\n  ${hub.firstToken}\n`);
    }
    if (hub.reachableUrls.length > 0 && !isQuiet) {
      process.stderr.write(`Machines send to it with session-cli hub join ${hub.reachableUrls[0]}\n`);
    }
  } catch (error) {
    output.release();
    throw error;
  }
}
