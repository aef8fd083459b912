import { mkdir } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { editedText } from "@sm/agent";
import { AppError, type JsonObject } from "@sm/core";
import { fileError, replaceFile } from "@sm/core/files";
import { bundleHash, type ConfigVersion, type Library, type LibraryLog, type UserState } from "@sm/core/node";
import type { ConfigurationService } from "@sm/router";
import type { EventBus } from "@sm/router/events";
import { agentSessionPaths } from "../agent-session-paths.ts";
import { parseConfig, readConfigText } from "../config.ts";
import type { Followed } from "../edits/edits.ts";
import { StartError } from "../start-error.ts";
import { type ConfigBundle, readBundle, writeBundle } from "./bundle.ts";
import { type FileChange, makeChange, takeBackBrokenChange, withFilesLocked } from "./change.ts";
import { type ConfigFile, changedText, lookAtFiles, readConfigFile } from "./config-files.ts";
import { differencesBetween } from "./difference.ts";
import { checkDirectories } from "./session-paths.ts";

export interface ConfigurationOptions {
  /** Of session-manager.json. */
  path: string;
  /** The user's home, which `~` in the file stands for. */
  home: string;
  /** Holds the agent's own settings. */
  agentDir: string;
  dataDir: string;
  /** Those in force now. */
  sessionPaths: string[];
  /** Directories of the agent's own choice that are in force now, see `agentSessionPaths`. */
  agentSessionPaths: string[];
  /** Of this process, which the agent's choice depends on. */
  env: NodeJS.ProcessEnv;
  library: Pick<Library, "setSessionPaths" | "marksChanged">;
  state: Pick<UserState, "tags" | "versions" | "configuration">;
  bus: Pick<EventBus, "publish">;
  log: LibraryLog;
}

/** The configuration, with what its keeper does about changes that others make. */
export interface Configuration extends ConfigurationService {
  /** Keeps a version for a change that another service has made. What fails is only logged: the change is made. */
  record(origin: string): Promise<void>;
  /** Looks at the files: what somebody has edited becomes a version, and other session directories are followed. */
  noticeEdits(): Promise<void>;
  /** What to follow for that. */
  files: Followed;
}

/** Only for the user: paths may tell what somebody works on. */
const NEW_FILE_MODE = 0o600;

/** Makes the keeper of the configuration, which makes one change after the other. */
export function createConfiguration(options: ConfigurationOptions): Configuration {
  const { path, home, agentDir, dataDir, library, state, bus, log } = options;
  const { versions } = state;
  const settingsPath = join(agentDir, "settings.json");
  const modelsPath = join(agentDir, "models.json");
  let { sessionPaths, agentSessionPaths: agentPaths } = options;
  let last: Promise<unknown> = takeBackBrokenChange({ ...options, state: state.configuration, versions }).catch(
    (error: unknown) => log.error({ err: error }, "A change of the configuration that was broken off stays as it is."),
  );

  /** Runs an action when those before it are done. */
  function inTurn<T>(action: () => Promise<T>): Promise<T> {
    const done = last.then(action);
    last = done.catch(() => undefined);
    return done;
  }

  async function readFiles() {
    const [server, settings, models] = await Promise.all([
      readConfigFile(path),
      readConfigFile(settingsPath),
      readConfigFile(modelsPath),
    ]);
    return { server, settings, models };
  }

  async function readCurrent(files: Awaited<ReturnType<typeof readFiles>>): Promise<ConfigBundle> {
    const { preferences = {}, ...others } = await state.configuration.values();
    return {
      version: 1,
      server: files.server.value ?? {},
      preferences: preferences as JsonObject,
      tags: await state.tags.list(),
      agent_settings: files.settings.value,
      model_config: files.models.value,
      others,
    };
  }

  const current = async () => readCurrent(await readFiles());

  async function keepVersion(bundle: ConfigBundle, origin: string): Promise<string> {
    const { id, isNew } = await versions.add({ bundle: writeBundle(bundle), origin });
    if (isNew) bus.publish("config-changed", { version_id: id });
    return id;
  }

  /** What nobody has recorded: the first configuration of all, or what somebody has edited. */
  async function keepUnrecorded(bundle: ConfigBundle): Promise<string> {
    return keepVersion(bundle, (await versions.latest()) === null ? "start" : "external");
  }

  async function followSessionPaths(paths: string[], settings: JsonObject | null): Promise<void> {
    const chosen = agentSessionPaths(settings, options);
    if (isDeepStrictEqual([paths, chosen], [sessionPaths, agentPaths])) return;
    await library.setSessionPaths([...chosen, ...paths]);
    sessionPaths = paths;
    agentPaths = chosen;
  }

  async function saveSessionPaths(chosen: string[]): Promise<string[]> {
    await checkDirectories(chosen);
    // As the file is read at the next start: without "..", doubled and trailing separators.
    const paths = chosen.map((directory) => resolve(directory));
    await withFilesLocked([path], dataDir, async () => {
      const { text, file } = await readSound(path, home);
      await writeText(path, editedText(text, { ...file, session_paths: paths }));
    });
    await library.setSessionPaths([...agentPaths, ...paths]);
    sessionPaths = paths;
    await keepVersion(await current(), "save_session_paths");
    return paths;
  }

  async function apply(next: ConfigBundle, origin: string): Promise<{ version_id: string }> {
    await readSound(path, home);
    const files = await readFiles();
    const before = await readCurrent(files);
    // So that what is replaced now can be brought back.
    const unchanged = await keepUnrecorded(before);
    if (bundleHash(writeBundle(before)) === bundleHash(writeBundle(next))) return { version_id: unchanged };
    const changes = [
      changeOf(files.server, before.server, next.server),
      changeOf(files.settings, before.agent_settings, next.agent_settings),
      changeOf(files.models, before.model_config, next.model_config),
    ].filter((change) => change !== null);
    const { versionId, untagged } = await withFilesLocked(
      changes.map((change) => change.path),
      dataDir,
      async () => {
        for (const change of changes) await refuseMeanwhile(change);
        const { preferences, others, tags } = next;
        const content = { origin, bundle: writeBundle(next), tags, values: { ...others, preferences }, files: changes };
        return makeChange(content, { ...options, state: state.configuration, versions });
      },
    );
    bus.publish("config-changed", { version_id: versionId });
    library.marksChanged(untagged);
    const { config } = await parseConfig(path, JSON.stringify(next.server), home);
    await followSessionPaths(config.session_paths, next.agent_settings);
    return { version_id: versionId };
  }

  async function find(id: string): Promise<ConfigVersion> {
    const version = await versions.get(id);
    if (version !== null) return version;
    throw new AppError("NOT_FOUND", `There is no version ${id}; list_config_versions names those that are kept.`);
  }

  const noticeEdits = (): Promise<void> =>
    inTurn(async () => {
      const files = await readFiles();
      const [mistake] = Object.values(files).flatMap((file) => file.mistake ?? []);
      if (mistake !== undefined) {
        log.warn({ mistake }, "A file of the configuration has a mistake: what was edited is not in force.");
        return;
      }
      // A file that the next start would refuse is no configuration.
      const { config } = await parseConfig(path, files.server.text?.replace(/^\ufeff/, "") ?? "{}", home);
      await keepUnrecorded(await readCurrent(files));
      await followSessionPaths(config.session_paths, files.settings.value);
    });

  return {
    sessionPaths: async () => sessionPaths,
    saveSessionPaths: (paths) => inTurn(() => saveSessionPaths(paths)),
    bundle: () => inTurn(async () => writeBundle(await current())),
    saveBundle: (bundle) => inTurn(async () => apply(readBundle(bundle, home), "save_config_bundle")),
    versions: () => versions.list(),

    async version(id) {
      const { created_at, origin, bundle } = await find(id);
      return { id, created_at, origin, bundle };
    },

    restoreVersion: (id) =>
      inTurn(async () => apply(readBundle((await find(id)).bundle, home), "restore_config_version")),

    async compareVersions(from, to) {
      const [before, after] = [await find(from), await find(to)];
      return { from, to, changes: differencesBetween(before.bundle, after.bundle) };
    },

    async record(origin) {
      try {
        await inTurn(async () => keepVersion(await current(), origin));
      } catch (error) {
        log.error({ err: error, origin }, "The configuration was changed, but no version of it could be kept.");
      }
    },

    noticeEdits,

    files: {
      look: () => lookAtFiles([path, settingsPath, modelsPath]),
      onEdit: () =>
        void noticeEdits().catch((error: unknown) => {
          log.error({ err: error }, "What was edited in the configuration could not be kept as a version.");
        }),
    },
  };
}

/** `null` where the file says already what it is to say. */
function changeOf(file: ConfigFile, before: JsonObject | null, next: JsonObject | null): FileChange | null {
  // Without a file there is nothing to say.
  if (isDeepStrictEqual(before, next)) return null;
  const after = changedText(file, next);
  return after === undefined ? null : { path: file.path, before: file.text, after };
}

async function refuseMeanwhile({ path, before }: FileChange): Promise<void> {
  if ((await readConfigFile(path)).text === before) return;
  throw new AppError("CONFLICT", `${path} was changed meanwhile; look at the configuration and try again.`);
}

async function writeText(path: string, text: string): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true });
    await replaceFile(path, text, NEW_FILE_MODE);
  } catch (error) {
    throw fileError(error, "write", path) ?? error;
  }
}

/** A file that the next start would refuse belongs to whoever is editing it. */
async function readSound(path: string, home: string): Promise<{ text: string; file: JsonObject }> {
  try {
    const text = (await readConfigText(path)) ?? "{\n}\n";
    const { file } = await parseConfig(path, text, home);
    return { text, file };
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    const [reason] = error.message.split("\n", 1);
    throw new AppError("CONFLICT", `Nothing was saved, because the configuration has a mistake: ${reason}`, {
      cause: error,
    });
  }
}
