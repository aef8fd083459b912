import { mkdir } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { editedText } from "@sm/agent";
import { type AgentHome, type AgentSwitches, AppError, type Budget, type HubSettings, type JsonObject } from "@sm/core";
import { fileError, replaceFile } from "@sm/core/files";
import {
  type BackedUpMarks,
  bundleHash,
  type ConfigVersion,
  type Library,
  type LibraryLog,
  ownDirectories,
  type UserState,
} from "@sm/core/node";
import { type ConfigOverride, type ConfigurationService, invalidPayload } from "@sm/router";
import type { EventBus } from "@sm/router/events";
import { type AgentPlaces, pathsOfOthers, piPlaces } from "../agent-places.ts";
import { agentSessionPaths } from "../agent-session-paths.ts";
import { type Config, configProblems, parseConfig, readConfigText } from "../config.ts";
import type { Followed } from "../edits/edits.ts";
import type { HubSending } from "../hub/hub-sending.ts";
import { StartError } from "../start-error.ts";
import { vaultSettings } from "../vault-settings.ts";
import { agentHomes, withSwitches } from "./agent-homes.ts";
import { budgetIn } from "./budget.ts";
import { followed, writeMarks } from "./bundle-marks.ts";
import { type FileChange, makeChange, takeBackBrokenChange, withFilesLocked } from "./change.ts";
import { type ConfigBundle, readBundle, writeBundle } from "./config-bundle.ts";
import { type ConfigFile, changedText, lookAtFiles, readConfigFile } from "./config-files.ts";
import { differencesBetween } from "./difference.ts";
import { checkDirectories } from "./session-paths.ts";

/** Within this time, in milliseconds, whoever writes a file in place has written all of it. */
const WRITING_MS = 300;

export interface ConfigurationOptions {
  /** Path of session-manager.json. */
  path: string;
  /** The user's home, replaces `~` in the file. */
  home: string;
  /** Directory of the agent's settings. */
  agentDir: string;
  dataDir: string;
  /** Parent of the agent's directory. */
  agentHome: string;
  /** Currently in force, like the following. */
  sessionPaths: string[];
  /** Directories chosen by the agent; see `agentSessionPaths`. */
  agentSessionPaths: string[];
  /** Switches of other agents. */
  agents: Config["agents"];
  /** Finds the directories of other agents, see `otherAgentPlaces`. */
  otherAgentPlaces(agents: Config["agents"]): AgentPlaces[];
  /** Fields that a setting of this process overrides; none if absent. */
  overrides?: readonly ConfigOverride[];
  /** Environment of this process, which determines the agent's choice. */
  env: NodeJS.ProcessEnv;
  library: Pick<Library, "setPaths" | "setPrices" | "setVaultSettings" | "filesIn" | "marksChanged" | "movedSessions">;
  hubSending: Pick<HubSending, "configure">;
  state: Pick<UserState, "tags" | "versions" | "configuration">;
  bus: Pick<EventBus, "publish">;
  log: LibraryLog;
}

/** The configuration, with functions that react to external changes. */
export interface Configuration extends ConfigurationService {
  /** Stores a version after a change by another service. Errors are only logged, because the change is already made. */
  record(origin: string): Promise<void>;
  /** Checks the files: stores edits as a version and applies changed session directories. */
  noticeEdits(): Promise<void>;
  /** Homes of other agents, also of those that are switched off. */
  otherHomes(): string[];
  /** The files to follow for `noticeEdits`. */
  files: Followed;
}

/** What decides which directories are read. */
type InForce = Pick<ConfigurationOptions, "sessionPaths" | "agentSessionPaths" | "agents">;

/** Private: paths may reveal what the user works on. */
const NEW_FILE_MODE = 0o600;

/** Creates the configuration service, which makes changes one at a time. */
export function createConfiguration(options: ConfigurationOptions): Configuration {
  const { path, home, agentDir, dataDir, library, state, bus, log } = options;
  const { versions } = state;
  const settingsPath = join(agentDir, "settings.json");
  const modelsPath = join(agentDir, "models.json");
  let inForce: InForce = options;
  let last: Promise<unknown> = takeBackBrokenChange({ ...options, state: state.configuration, versions }).catch(
    (error: unknown) => log.error({ err: error }, "Could not roll back an interrupted configuration change."),
  );

  /** Runs an action after the pending ones. */
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
    // A version before marks were part of bundles kept them as a field that it did not know.
    const { preferences = {}, marks: _marks, ...others } = await state.configuration.values();
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

  /** Stores a configuration that has no version yet: the first one, or an edited one. */
  async function keepUnrecorded(bundle: ConfigBundle): Promise<string> {
    return keepVersion(bundle, (await versions.latest()) === null ? "start" : "external");
  }

  async function follow({ sessionPaths, agentSessionPaths, agents }: InForce): Promise<void> {
    await library.setPaths({
      sessionPaths: [...agentSessionPaths, ...sessionPaths],
      ...pathsOfOthers(options.otherAgentPlaces(agents)),
    });
    inForce = { sessionPaths, agentSessionPaths, agents };
  }

  async function followFiles(config: Config, settings: JsonObject | null): Promise<void> {
    const { session_paths, agents, prices } = config;
    library.setPrices(prices);
    library.setVaultSettings(vaultSettings(config));
    options.hubSending.configure(config.hub);
    const chosen = { sessionPaths: session_paths, agentSessionPaths: agentSessionPaths(settings, options), agents };
    const { sessionPaths, agentSessionPaths: before, agents: switches } = inForce;
    if (isDeepStrictEqual(chosen, { sessionPaths, agentSessionPaths: before, agents: switches })) return;
    await follow(chosen);
  }

  /** Changes session-manager.json; returns what it says then. */
  async function editFile(change: (file: JsonObject) => JsonObject): Promise<Config> {
    return withFilesLocked([path], dataDir, async () => {
      const { text, file } = await readSound(path, home);
      const edited = editedText(text, { ...file, ...change(file) });
      const { config } = await parseConfig(path, edited, home);
      await writeText(path, edited);
      return config;
    });
  }

  async function saveSessionPaths(chosen: string[]): Promise<string[]> {
    await checkDirectories(chosen, "paths");
    // Normalized as at the next start: without "..", double and trailing separators.
    const paths = chosen.map((directory) => resolve(directory));
    await editFile(() => ({ session_paths: paths }));
    await follow({ ...inForce, sessionPaths: paths });
    await keepVersion(await current(), "save_session_paths");
    return paths;
  }

  function places(): AgentPlaces[] {
    const pi = piPlaces([...ownDirectories(options), ...inForce.agentSessionPaths]);
    return [{ ...pi, added: inForce.sessionPaths }, ...options.otherAgentPlaces(inForce.agents)];
  }

  async function saveAgentHomes(given: AgentSwitches): Promise<AgentHome[]> {
    for (const [agent, chosen] of Object.entries(given)) {
      if (chosen !== undefined) await checkDirectories(chosen.homes, `agents.${agent}.homes`);
    }
    const { agents } = await editFile((file) => ({ agents: withSwitches(file.agents, given) }));
    await follow({ ...inForce, agents });
    await keepVersion(await current(), "save_agent_homes");
    return agentHomes(places(), library);
  }

  async function saveHub(hub: HubSettings | null): Promise<void> {
    const given = hub === null ? null : (JSON.parse(JSON.stringify(hub)) as JsonObject);
    const problems = configProblems({ hub: given }, home);
    if (problems.length > 0) throw invalidPayload(problems);
    const config = await editFile(() => ({ hub: given }));
    options.hubSending.configure(config.hub);
    await keepVersion(await current(), "save_hub");
  }

  async function bundle(withMarks: boolean): Promise<JsonObject> {
    const found = await current();
    if (!withMarks) return writeBundle(found);
    const marks = await state.configuration.marks();
    return { ...writeBundle(found), marks: writeMarks(marks, new Set(found.tags.map(({ id }) => id))) };
  }

  async function apply(
    next: ConfigBundle,
    origin: string,
    given: BackedUpMarks | null,
  ): Promise<{ version_id: string }> {
    await readSound(path, home);
    const marks = given === null ? null : await followed(given, library);
    const files = await readFiles();
    const before = await readCurrent(files);
    // So that the replaced configuration can be restored.
    const unchanged = await keepUnrecorded(before);
    if (bundleHash(writeBundle(before)) === bundleHash(writeBundle(next))) {
      if (marks !== null) library.marksChanged(await state.configuration.addMarks(marks));
      return { version_id: unchanged };
    }
    const changes = [
      changeOf(files.server, before.server, next.server),
      changeOf(files.settings, before.agent_settings, next.agent_settings),
      changeOf(files.models, before.model_config, next.model_config),
    ].filter((change) => change !== null);
    const { versionId, marked } = await withFilesLocked(
      changes.map((change) => change.path),
      dataDir,
      async () => {
        for (const change of changes) await refuseMeanwhile(change);
        const { preferences, others, tags } = next;
        const values = { ...others, preferences };
        const content = { origin, bundle: writeBundle(next), tags, values, marks, files: changes };
        return makeChange(content, { ...options, state: state.configuration, versions });
      },
    );
    bus.publish("config-changed", { version_id: versionId });
    library.marksChanged(marked);
    const { config } = await parseConfig(path, JSON.stringify(next.server), home);
    await followFiles(config, next.agent_settings);
    return { version_id: versionId };
  }

  async function saveBudget(budget: Budget): Promise<Budget> {
    const before = await current();
    await apply({ ...before, preferences: { ...before.preferences, budget: { ...budget } } }, "save_budget", null);
    return budget;
  }

  async function find(id: string): Promise<ConfigVersion> {
    const version = await versions.get(id);
    if (version !== null) return version;
    throw new AppError("NOT_FOUND", `Version ${id} does not exist. list_config_versions lists all versions.`);
  }

  const noticeEdits = (): Promise<void> =>
    inTurn(async () => {
      let files = await readFiles();
      const mistakesIn = (read: typeof files) => Object.values(read).flatMap((file) => file.mistake ?? []);
      // Who does not replace a file empties it first; the next change has the content.
      if (Object.values(files).some((file) => file.text === "" && file.mistake !== null)) return;
      if (mistakesIn(files).length > 0) {
        // Or the agent has written a part of it until now.
        await delay(WRITING_MS);
        files = await readFiles();
      }
      const [mistake] = mistakesIn(files);
      if (mistake !== undefined) {
        log.warn({ mistake }, "A configuration file is invalid; its changes were not applied.");
        return;
      }
      // A file that the next start would reject is invalid.
      const { config } = await parseConfig(path, files.server.text?.replace(/^\ufeff/, "") ?? "{}", home);
      await keepUnrecorded(await readCurrent(files));
      await followFiles(config, files.settings.value);
    });

  return {
    sessionPaths: async () => inForce.sessionPaths,
    saveSessionPaths: (paths) => inTurn(() => saveSessionPaths(paths)),
    agentHomes: () => agentHomes(places(), library),
    saveAgentHomes: (agents) => inTurn(() => saveAgentHomes(agents)),
    saveHub: (hub) => inTurn(() => saveHub(hub)),
    overrides: async () => [...(options.overrides ?? [])],
    async budget() {
      const { preferences = {} } = await state.configuration.values();
      return budgetIn(preferences as JsonObject);
    },

    saveBudget: (budget) => inTurn(() => saveBudget(budget)),
    bundle: ({ include_marks = false } = {}) => inTurn(() => bundle(include_marks)),

    saveBundle: (payload) =>
      inTurn(async () => {
        const { bundle, marks } = readBundle(payload, home);
        return apply(bundle, "save_config_bundle", marks);
      }),

    versions: () => versions.list(),

    async version(id) {
      const { created_at, origin, bundle } = await find(id);
      return { id, created_at, origin, bundle };
    },

    restoreVersion: (id) =>
      inTurn(async () => {
        const { marks: _marks, ...stored } = (await find(id)).bundle;
        return apply(readBundle(stored, home).bundle, "restore_config_version", null);
      }),

    async compareVersions(from, to) {
      const [before, after] = [await find(from), await find(to)];
      return { from, to, changes: differencesBetween(before.bundle, after.bundle) };
    },

    async record(origin) {
      try {
        await inTurn(async () => keepVersion(await current(), origin));
      } catch (error) {
        log.error({ err: error, origin }, "The configuration was changed, but could not be saved as a version.");
      }
    },

    noticeEdits,

    otherHomes() {
      const directories = options.otherAgentPlaces(inForce.agents).flatMap((one) => one.directories);
      return [...new Set(directories.map((directory) => dirname(directory)))];
    },

    files: {
      look: () => lookAtFiles([path, settingsPath, modelsPath]),
      onEdit: () =>
        void noticeEdits().catch((error: unknown) => {
          log.error({ err: error }, "An edited configuration could not be saved as a version.");
        }),
    },
  };
}

/** `null` if the file's content does not change. */
function changeOf(file: ConfigFile, before: JsonObject | null, next: JsonObject | null): FileChange | null {
  // The file does not exist and is not needed.
  if (isDeepStrictEqual(before, next)) return null;
  const after = changedText(file, next);
  return after === undefined ? null : { path: file.path, before: file.text, after };
}

async function refuseMeanwhile({ path, before }: FileChange): Promise<void> {
  if ((await readConfigFile(path)).text === before) return;
  throw new AppError(
    "CONFLICT",
    `${path} was changed by another program in the meantime. Review the configuration and try again.`,
  );
}

async function writeText(path: string, text: string): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true });
    await replaceFile(path, text, NEW_FILE_MODE);
  } catch (error) {
    throw fileError(error, "write", path) ?? error;
  }
}

/** A file that the next start would reject: someone is editing it. */
async function readSound(path: string, home: string): Promise<{ text: string; file: JsonObject }> {
  try {
    const text = (await readConfigText(path)) ?? "{\n}\n";
    const { file } = await parseConfig(path, text, home);
    return { text, file };
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    const [reason] = error.message.split("\n", 1);
    throw new AppError("CONFLICT", `Nothing was saved, because the configuration is invalid: ${reason}`, {
      cause: error,
    });
  }
}
