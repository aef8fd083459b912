import { fileURLToPath } from "node:url";
import { type RunningServer, readSwitch, type Settings, startServer } from "@sm/server";
import { currentPlatform, dataDirectory } from "@sm/server/early";
import { openBrowser } from "./browser.ts";
import { type FoundServer, findRunningServer } from "./connection/running-server.ts";
import { endAtOnce, endForCertain, endProcess } from "./end-process.ts";
import { holdOutput } from "./held-output.ts";
import type { ServeOptions } from "./program.ts";
import { progressLine } from "./progress.ts";

/** The build puts the page beside this file. */
export const WEB = fileURLToPath(new URL("web", import.meta.url));

/** npm forwards a Ctrl+C that the terminal already sent to all processes: two signals that mean one. */
const SAME_SIGNAL_MS = 300;

/** A stop that takes longer waits for something that hangs, such as a thread on a disk that does not respond. */
const MAX_STOP_MS = 10_000;

/**
 * Prints the address of a running service with the same data directory and ends the process; `false` if none is
 * running.
 */
export async function join(
  settings: Settings,
  { endsWithInput }: Pick<ServeOptions, "endsWithInput">,
): Promise<boolean> {
  const server = await findRunningServer(dataDirectory(settings, currentPlatform()));
  if (server === null) return false;
  const address = endsWithInput ? openAddress(server) : server.url;
  process.stdout.write(`Session Manager is already listening on ${address}\n`, () => process.exit(0));
  return true;
}

/** URL for a browser, with the token of the start if required. The page removes it from the address. */
function openAddress({ url, token }: FoundServer): string {
  return token === null ? url : `${url}/?token=${token}`;
}

/**
 * Serves until a signal arrives, or standard input ends if so configured. Resolves when requests are accepted.
 *
 * @throws {StartError} for problems that the user must fix.
 */
export async function serve(
  settings: Settings,
  version: string,
  { isJoining, isQuiet, endsWithInput }: Pick<ServeOptions, "isJoining" | "isQuiet" | "endsWithInput">,
): Promise<void> {
  const open = readSwitch(settings.open);
  const progress = progressLine(process.stderr);
  const output = holdOutput((text) => {
    progress.clear();
    process.stdout.write(text);
  });
  // The reader of the log may exit; the service continues.
  process.stdout.on("error", () => {});
  process.stderr.on("error", () => {});

  const starting = startServer({
    version,
    settings,
    web: WEB,
    takesFreePort: isJoining,
    output,
    onProgress: (status) => progress.update(status),
  });
  const clearProgress = () => progress.clear();
  stopOnSignals(starting, clearProgress);
  if (endsWithInput) stopWithInput(starting, clearProgress);
  try {
    const server = await starting;
    exitOnDefects(server);
    // A parent program that holds this one's pipes needs the token to open the page; a log must not contain it.
    output.release(`Session Manager is listening on ${endsWithInput ? openAddress(server) : server.url}`);
    if (server.token !== null && !endsWithInput) {
      progress.clear();
      process.stderr.write(
        process.stderr.isTTY
          ? `Open it with the token of this start:\n  ${openAddress(server)}\n`
          : `Clients need the token of this start, which is in ${server.serverFile}\n`,
      );
    }
    if (process.stderr.isTTY && !isQuiet) {
      progress.clear();
      process.stderr.write(foundAgents(server));
    }
    if (server.reachableUrls.length > 0 && !isQuiet) {
      const urls = server.reachableUrls.map((url) => `  ${url}\n`).join("");
      progress.clear();
      // Not on standard output, where the log follows.
      process.stderr.write(`Other machines can reach it with a token (session-cli token create) at\n${urls}`);
    }
    if (open)
      openBrowser(openAddress(server), (error) => server.log.warn({ err: error }, "Could not open the browser."));
  } catch (error) {
    output.release();
    throw error;
  }
}

/** Says whose sessions are read, and where. */
function foundAgents({ agents }: RunningServer): string {
  if (agents.length === 0) return "No agent has sessions here yet; they appear when one writes them.\n";
  const lines = agents.map(({ name, directories }) => `  ${name}: ${directories.join(", ")}\n`);
  return `It reads the sessions of\n${lines.join("")}`;
}

/** Stops a service when the process is asked to end. */
export function stopOnSignals(starting: Promise<Stoppable>, clearProgress: () => void = () => {}): void {
  let firstAt: number | null = null;
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.on(signal, () => {
      if (firstAt === null) {
        firstAt = Date.now();
        const timer = setTimeout(() => {
          process.stderr.write(
            "session-cli: The service did not stop within 10 s and was terminated; check for a disk that does not respond.\n",
          );
          endAtOnce(signal);
        }, MAX_STOP_MS);
        // A failed start ends the process itself.
        starting
          .then((server) => stop(server, clearProgress))
          .catch(() => {})
          .finally(() => clearTimeout(timer));
      } else if (Date.now() - firstAt > SAME_SIGNAL_MS) {
        endAtOnce(signal);
      }
    });
  }
}

/** The system closes the other end when its process ends for any reason. */
function stopWithInput(starting: Promise<Stoppable>, clearProgress: () => void): void {
  const { stdin } = process;
  stdin.on("error", () => {});
  stdin.once("close", () => {
    starting.then((server) => stop(server, clearProgress)).catch(() => {});
  });
  stdin.resume();
}

/** What runs until it is asked to end. */
export type Stoppable = Pick<RunningServer, "close" | "log">;

async function stop(server: Stoppable, clearProgress: () => void): Promise<void> {
  clearProgress();
  try {
    await server.close();
    endProcess(0);
  } catch (error) {
    server.log.error({ err: error }, "The service did not stop cleanly.");
    endProcess(1);
  }
}

/** Ends the process where something was thrown that nobody has caught: what goes on would be wrong. */
export function exitOnDefects({ log }: Pick<RunningServer, "log">): void {
  process.on("uncaughtException", (error) => {
    log.fatal({ err: error }, "The service stops because of a defect.");
    endForCertain(1);
  });
}
