import { mkdir } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { AppError, type JsonObject } from "@sm/core";
import { type ConfigVersionStore, fileError, type Library } from "@sm/core/node";
import type { Services } from "@sm/router";
import type { EventBus } from "@sm/router/events";
import { parseConfig, readConfigText } from "../config.ts";
import { setField } from "../json-syntax.ts";
import { replaceFile } from "../replace-file.ts";
import { StartError } from "../start-error.ts";
import { configBundle } from "./bundle.ts";
import { checkDirectories } from "./session-paths.ts";

export interface ConfigurationOptions {
  /** Of session-manager.json. */
  path: string;
  /** The user's home, which `~` in the file stands for. */
  home: string;
  /** Holds the agent's own settings. */
  agentDir: string;
  /** Those in force now. */
  sessionPaths: string[];
  library: Pick<Library, "setSessionPaths">;
  versions: Pick<ConfigVersionStore, "add">;
  bus: Pick<EventBus, "publish">;
}

/** Only for the user: paths may tell what somebody works on. */
const NEW_FILE_MODE = 0o600;

/** Makes the service that changes session-manager.json, one change after the other. */
export function createConfigurationService(options: ConfigurationOptions): Services["configuration"] {
  const { path, home, agentDir, library, versions, bus } = options;
  let { sessionPaths } = options;
  let last: Promise<unknown> = Promise.resolve();

  async function save(chosen: string[]): Promise<string[]> {
    await checkDirectories(chosen);
    // As the file is read at the next start: without "..", doubled and trailing separators.
    const paths = chosen.map((directory) => resolve(directory));
    const file = await writeSessionPaths(path, home, paths);
    await library.setSessionPaths(paths);
    sessionPaths = paths;
    const version = await versions.add({ bundle: await configBundle(file, agentDir), origin: "save_session_paths" });
    bus.publish("config-changed", { version_id: version.id });
    return paths;
  }

  return {
    sessionPaths: async () => sessionPaths,

    saveSessionPaths(paths) {
      const saved = last.then(() => save(paths));
      last = saved.catch(() => undefined);
      return saved;
    },
  };
}

/** Writes the field into the file, which somebody may have edited since the start, and gives the file as it is then. */
async function writeSessionPaths(path: string, home: string, paths: string[]): Promise<JsonObject> {
  const list = `[${paths.map((directory) => JSON.stringify(directory)).join(", ")}]`;
  const changed = setField(await currentText(path, home), "session_paths", list);
  try {
    await mkdir(dirname(path), { recursive: true });
    await replaceFile(path, changed, NEW_FILE_MODE);
  } catch (error) {
    throw fileError(error, "write", path) ?? error;
  }
  return JSON.parse(changed) as JsonObject;
}

/** A file that the next start would refuse belongs to whoever is editing it. */
async function currentText(path: string, home: string): Promise<string> {
  try {
    const text = (await readConfigText(path)) ?? "{\n}\n";
    parseConfig(path, text, home);
    return text;
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    const [reason] = error.message.split("\n", 1);
    throw new AppError("CONFLICT", `Nothing was saved, because the configuration has a mistake: ${reason}`, {
      cause: error,
    });
  }
}
