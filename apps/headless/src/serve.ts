import { fileURLToPath } from "node:url";
import { type RunningServer, readSwitch, type Settings, startServer } from "@sm/server";
import { currentPlatform, dataDirectory } from "@sm/server/early";
import { openBrowser } from "./browser.ts";
import { findRunningServer } from "./connection/running-server.ts";
import { endProcess } from "./end-process.ts";
import { holdOutput } from "./output.ts";
import type { ServeOptions } from "./program.ts";
import { progressLine } from "./progress.ts";

/** What a shell reports for a process that a signal ended. */
const EXIT_CODES = { SIGINT: 130, SIGTERM: 143 } as const;

/** The build puts the page beside this file. */
const WEB = fileURLToPath(new URL("web", import.meta.url));

/** npm passes a Ctrl+C on that the terminal has already sent to everybody: two signals that mean one. */
const SAME_SIGNAL_MS = 300;

/** Names the service that runs already with the same data directory and ends the process; `false` where none runs. */
export async function join(settings: Settings): Promise<boolean> {
  const url = await findRunningServer(dataDirectory(settings, currentPlatform()));
  if (url === null) return false;
  process.stdout.write(`Session Manager is already listening on ${url}\n`, () => process.exit(0));
  return true;
}

/**
 * Serves until a signal comes, or standard input ends where the service ends with it. Resolves when requests are
 * answered.
 *
 * @throws {StartError} for what the user has to change.
 */
export async function serve(
  settings: Settings,
  version: string,
  { isJoining, endsWithInput }: Pick<ServeOptions, "isJoining" | "endsWithInput">,
): Promise<void> {
  const open = readSwitch(settings.open);
  const progress = progressLine(process.stderr);
  const output = holdOutput((text) => {
    progress.clear();
    process.stdout.write(text);
  });
  // Whoever reads the log may go; the service stays.
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
    output.release(`Session Manager is listening on ${server.url}`);
    if (open) openBrowser(server.url, (error) => server.log.warn({ err: error }, "The browser could not be opened."));
  } catch (error) {
    output.release();
    throw error;
  }
}

function stopOnSignals(starting: Promise<RunningServer>, clearProgress: () => void): void {
  let firstAt: number | null = null;
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.on(signal, () => {
      if (firstAt === null) {
        firstAt = Date.now();
        // A start that fails ends the process by itself.
        starting.then((server) => stop(server, clearProgress)).catch(() => {});
      } else if (Date.now() - firstAt > SAME_SIGNAL_MS) {
        process.exit(EXIT_CODES[signal]);
      }
    });
  }
}

/** Its other end is closed by the system when the program that holds it goes, however that happens. */
function stopWithInput(starting: Promise<RunningServer>, clearProgress: () => void): void {
  const { stdin } = process;
  stdin.on("error", () => {});
  stdin.once("close", () => {
    starting.then((server) => stop(server, clearProgress)).catch(() => {});
  });
  stdin.resume();
}

async function stop(server: RunningServer, clearProgress: () => void): Promise<void> {
  clearProgress();
  try {
    await server.close();
    endProcess(0);
  } catch (error) {
    server.log.error({ err: error }, "The service did not stop in order.");
    endProcess(1);
  }
}

function exitOnDefects({ log }: RunningServer): void {
  process.on("uncaughtException", (error) => {
    log.fatal({ err: error }, "The service ends because of a defect.");
    process.exit(1);
  });
}
