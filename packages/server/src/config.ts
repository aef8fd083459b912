import { isIP } from "node:net";
import { isAbsolute, join, resolve } from "node:path";
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  OTHER_AGENTS,
  type OtherAgentName,
  type PayloadIssue,
  SESSION_FORMATS,
} from "@sm/core";
import { readWholeFile } from "@sm/core/files";
import type { ConfigOverride } from "@sm/router";
import * as v from "valibot";
import { expandHome } from "./directories.ts";
import { oidcSchema } from "./oidc-settings.ts";
import { LOG_LEVELS, type Setting, type SettingName, type Settings } from "./settings.ts";
import { StartError } from "./start-error.ts";

const CONFIG_FILE_NAME = "session-manager.json";
/** Of a configuration file, the agent's too: what is larger is none. */
export const MAX_BYTES = 8 * 1024 * 1024;

const PORT = "must be an integer from 0 to 65535";
const ADDRESS = 'must be an address of this machine, such as "127.0.0.1" or "0.0.0.0"';
const SWITCH = "must be true or false";
const PRICE = "must be a number of dollars, 0 or more";
const TEXTS = "must be an array of strings";
const DIRECTORY = 'must be an absolute path, or begin with "~/"';
const IP_ADDRESS = "must be an IP address";
const POSITIVE = "must be a whole number above 0";
const SECONDS = "must be a whole number from 1 to 86400";
const MINUTES = "must be a whole number from 1 to 10080";
const DAYS = "must be a whole number of days from 0 to 36500";
const FORMAT = `must be one of ${SESSION_FORMATS.join(", ")}`;
const PROGRAM = 'must be the name of a program on the PATH, or its absolute path, or begin with "~/"';
const HUB_URL = 'must be the URL of a hub, such as "https://hub.example.com"';
const BUCKET = 'must be the name of a bucket, such as "hub-chunks"';
const PREFIX = 'must be empty or end with "/", and have letters, digits, "-", "_", "." and "/" only';
const ENDPOINT = 'must be the URL of an object store, such as "https://s3.example.com"';
const STORE_KIND = 'must be "directory" or "s3"';
const USERS = 'must be "own" or "all"';
const LOG_LEVEL = `must be one of ${LOG_LEVELS.join(", ")}`;

const port = v.pipe(v.number(PORT), v.integer(PORT), v.minValue(0, PORT), v.maxValue(65_535, PORT));
const address = v.pipe(v.string(ADDRESS), v.nonEmpty(ADDRESS));
const positive = v.pipe(v.number(POSITIVE), v.integer(POSITIVE), v.minValue(1, POSITIVE));
// Timers of Node wrap around after 24 days and would fire at once.
const seconds = v.pipe(v.number(SECONDS), v.integer(SECONDS), v.minValue(1, SECONDS), v.maxValue(86_400, SECONDS));
const minutes = v.pipe(v.number(MINUTES), v.integer(MINUTES), v.minValue(1, MINUTES), v.maxValue(10_080, MINUTES));
const days = v.pipe(v.number(DAYS), v.integer(DAYS), v.minValue(0, DAYS), v.maxValue(36_500, DAYS));
/** An array would pass as an object without fields. */
const jsonObject = v.custom<JsonObject>(isJsonObject, "must be an object");
const logLevel = v.picklist(LOG_LEVELS, LOG_LEVEL);

function configSchema(home: string) {
  const directory = v.pipe(
    v.string(DIRECTORY),
    v.transform((path) => expandHome(path, home)),
    v.check(isAbsolute, DIRECTORY),
    // Drops "..", doubled and trailing separators.
    v.transform((path) => resolve(path)),
  );
  const program = v.pipe(
    v.string(PROGRAM),
    v.nonEmpty(PROGRAM),
    v.transform((name) => expandHome(name, home)),
    v.check((name) => isAbsolute(name) || !/[/\\]/.test(name), PROGRAM),
  );
  const texts = v.array(v.string("must be a string"), TEXTS);
  const addresses = v.array(
    v.pipe(
      v.string(IP_ADDRESS),
      v.check((text) => isIP(text) !== 0, IP_ADDRESS),
    ),
    TEXTS,
  );
  const agent = v.pipe(
    jsonObject,
    v.object({
      enabled: v.optional(v.boolean(SWITCH), true),
      homes: v.optional(v.array(directory, TEXTS), []),
    }),
  );
  const price = v.pipe(v.number(PRICE), v.finite(PRICE), v.minValue(0, PRICE));
  const modelPrices = v.pipe(
    jsonObject,
    v.object({
      input: price,
      output: price,
      cache_read: v.optional(price),
      cache_write: v.optional(price),
      cache_write_1h: v.optional(price),
    }),
  );
  const chunkStore = v.variant(
    "kind",
    [
      v.object({ kind: v.literal("directory"), directory, removed_days: v.optional(days, 30) }),
      v.object({
        kind: v.literal("s3"),
        bucket: v.pipe(v.string(BUCKET), v.regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, BUCKET)),
        endpoint: v.optional(v.nullable(v.pipe(v.string(ENDPOINT), v.check(isHubUrl, ENDPOINT))), null),
        region: v.optional(
          v.pipe(v.string("must be the name of a region"), v.nonEmpty("must not be empty")),
          "us-east-1",
        ),
        prefix: v.optional(v.pipe(v.string(PREFIX), v.regex(/^([\w.-]+\/)*$/, PREFIX)), ""),
        path_style: v.optional(v.nullable(v.boolean(SWITCH)), null),
        credentials_file: v.optional(v.nullable(directory), null),
        removed_days: v.optional(days, 30),
      }),
    ],
    STORE_KIND,
  );
  const agents = Object.fromEntries(OTHER_AGENTS.map(({ agent: name }) => [name, v.optional(agent, {})]));
  return v.object({
    http_enabled: v.optional(v.boolean(SWITCH), true),
    http_port: v.optional(port, 52131),
    bind_addr: v.optional(address, "127.0.0.1"),
    auth_enabled: v.optional(v.boolean(SWITCH), true),
    local_users: v.optional(v.picklist(["own", "all"], USERS), "own"),
    local_token: v.optional(v.boolean(SWITCH), false),
    socket_path: v.optional(v.nullable(directory), null),
    session_paths: v.optional(v.array(directory, TEXTS), []),
    agent_home: v.optional(v.nullable(directory), null),
    agents: v.optional(
      v.pipe(
        jsonObject,
        // The table has these names.
        v.object(agents as Record<OtherAgentName, v.OptionalSchema<typeof agent, Record<never, never>>>),
      ),
      {},
    ),
    prices: v.optional(v.pipe(jsonObject, v.record(v.string(), modelPrices)), {}),
    agents_enabled: v.optional(v.boolean(SWITCH), true),
    agent_command: v.optional(v.nullable(program), null),
    terminals_enabled: v.optional(v.boolean(SWITCH), true),
    terminal_idle_minutes: v.optional(minutes, 30),
    allowed_hosts: v.optional(texts, []),
    allowed_origins: v.optional(texts, []),
    trusted_proxies: v.optional(addresses, ["127.0.0.1", "::1"]),
    log_level: v.optional(logLevel, "info"),
    vault: v.optional(
      v.pipe(
        jsonObject,
        v.object({
          enabled: v.optional(v.boolean(SWITCH), true),
          exclude_formats: v.optional(v.array(v.picklist(SESSION_FORMATS, FORMAT), TEXTS), []),
          exclude_projects: v.optional(v.array(directory, TEXTS), []),
          max_bytes: v.optional(v.nullable(positive), null),
          deleted_days: v.optional(days, 30),
          replaced_days: v.optional(days, 30),
        }),
      ),
      {},
    ),
    mcp: v.optional(
      v.pipe(
        jsonObject,
        v.object({
          enabled: v.optional(v.boolean(SWITCH), true),
          redact: v.optional(v.boolean(SWITCH), true),
        }),
      ),
      {},
    ),
    hub: v.optional(
      v.nullable(
        v.pipe(
          jsonObject,
          v.object({
            url: v.pipe(v.string(HUB_URL), v.check(isHubUrl, HUB_URL)),
            token_file: directory,
            projects: v.optional(v.nullable(v.array(directory, TEXTS)), null),
            formats: v.optional(v.nullable(v.array(v.picklist(SESSION_FORMATS, FORMAT), TEXTS)), null),
            redact: v.optional(v.boolean(SWITCH), false),
            redact_words: v.optional(texts, []),
          }),
        ),
      ),
      null,
    ),
    chunk_store: v.optional(v.nullable(v.pipe(jsonObject, chunkStore)), null),
    oidc: v.optional(v.nullable(oidcSchema(directory)), null),
    sharing: v.optional(v.pipe(jsonObject, v.object({ enabled: v.optional(v.boolean(SWITCH), false) })), {}),
    limits: v.optional(
      v.pipe(
        jsonObject,
        v.object({
          body_bytes: v.optional(positive, 8_388_608),
          message_bytes: v.optional(positive, 8_388_608),
          connections: v.optional(positive, 1024),
          address_connections: v.optional(positive, 128),
          connection_commands: v.optional(positive, 256),
          answer_bytes: v.optional(positive, 134_217_728),
          waiting_commands: v.optional(positive, 256),
          command_seconds: v.optional(seconds, 120),
          output_stall_seconds: v.optional(seconds, 10),
          wrong_tokens_per_minute: v.optional(positive, 10),
        }),
      ),
      {},
    ),
  });
}

/** A name and password in it would be no token, and would be shown in messages. */
function isHubUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, search, hash } = new URL(text);
  return /^https?:$/.test(protocol) && username === "" && search === "" && hash === "";
}

/** The configuration in force: file, defaults and overrides together. Paths are absolute. */
export type Config = v.InferOutput<ReturnType<typeof configSchema>>;

/** What a configuration file says. */
export interface ParsedConfig {
  /** Fields of the file over the defaults. */
  config: Config;
  /** The file as it stands. */
  file: JsonObject;
}

export interface LoadedConfig {
  config: Config;
  /** Where the file is, or would be. */
  path: string;
  /** Fields of the file that this version does not know. They belong to the user and stay as they are. */
  unknownFields: string[];
  /** The port is not the default one that happens to apply. */
  isPortChosen: boolean;
  /** Fields that a setting overrides, whatever the file says. */
  overrides: ConfigOverride[];
}

/**
 * Reads `session-manager.json` and lays the settings over it. A missing file counts as `{}`; the file is never written.
 *
 * @throws {StartError} for a file that cannot be read or understood, with path, line, column and reason, and for a
 *   setting with a wrong value.
 */
export async function loadConfig(configDir: string, settings: Settings, home: string): Promise<LoadedConfig> {
  const path = join(configDir, CONFIG_FILE_NAME);
  const { config, file } = await parseConfig(path, (await readConfigText(path)) ?? "{}", home);
  const given = overrides(settings, home);
  return {
    config: { ...config, ...given },
    path,
    unknownFields: unknownFields(file, config),
    isPortChosen: settings.port !== undefined || Object.hasOwn(file, "http_port"),
    overrides: OVERRIDING.flatMap(([name, field]) => {
      const source = settings[name]?.source;
      const value = given[field];
      return source === undefined || value === undefined || value === null ? [] : { field, value, source };
    }),
  };
}

function unknownFields(file: JsonObject, config: Config): string[] {
  const unknownIn = (given: JsonObject, known: object) =>
    Object.keys(given).filter((name) => !Object.hasOwn(known, name));
  const agents = isJsonObject(file.agents) ? unknownIn(file.agents, config.agents) : [];
  const vault = isJsonObject(file.vault) ? unknownIn(file.vault, config.vault) : [];
  const mcp = isJsonObject(file.mcp) ? unknownIn(file.mcp, config.mcp) : [];
  const hub = isJsonObject(file.hub) ? unknownIn(file.hub, config.hub ?? {}) : [];
  const store = isJsonObject(file.chunk_store) ? unknownIn(file.chunk_store, config.chunk_store ?? {}) : [];
  const oidc = isJsonObject(file.oidc) ? unknownIn(file.oidc, config.oidc ?? {}) : [];
  const sharing = isJsonObject(file.sharing) ? unknownIn(file.sharing, config.sharing) : [];
  return [
    ...unknownIn(file, config),
    ...agents.map((name) => `agents.${name}`),
    ...vault.map((name) => `vault.${name}`),
    ...mcp.map((name) => `mcp.${name}`),
    ...hub.map((name) => `hub.${name}`),
    ...store.map((name) => `chunk_store.${name}`),
    ...oidc.map((name) => `oidc.${name}`),
    ...sharing.map((name) => `sharing.${name}`),
  ];
}

/**
 * Reads a configuration from its text, which may have comments and trailing commas; `path` is for messages.
 *
 * @throws {StartError} with path, line, column and reason: of the first mistake in the syntax, or of every wrong field,
 *   one a line.
 */
export async function parseConfig(path: string, text: string, home: string): Promise<ParsedConfig> {
  const file = await parseObject(path, text);
  const result = v.safeParse(configSchema(home), file);
  if (result.success) return { config: result.output, file };
  const { positionOf } = await commentedJson();
  throw mistakesIn(
    path,
    result.issues.map((issue) => {
      const keys = (issue.path ?? []).map(({ key }) => key as string | number);
      return `${positionOf(text, keys)}: ${keys.join(".")} ${issue.message}, not ${JSON.stringify(issue.input)}`;
    }),
  );
}

/** Tells what a start would refuse in a configuration, none where it would take it. */
export function configProblems(file: JsonObject, home: string): PayloadIssue[] {
  const result = v.safeParse(configSchema(home), file);
  if (result.success) return [];
  return result.issues.map((issue) => ({ path: v.getDotPath(issue) ?? "", message: `It ${issue.message}.` }));
}

/** Settings that override a field of the file, with the field. */
const OVERRIDING = [
  ["port", "http_port"],
  ["bind", "bind_addr"],
  ["agent-home", "agent_home"],
  ["log-level", "log_level"],
] as const satisfies readonly [SettingName, keyof Config][];

function overrides(settings: Settings, home: string): Partial<Config> {
  const config: Partial<Config> = {};
  const { port: portSetting, bind, "agent-home": agentHome, "log-level": level } = settings;
  if (portSetting !== undefined) {
    const digits = /^\d{1,5}$/.test(portSetting.value) ? Number(portSetting.value) : Number.NaN;
    config.http_port = readSetting(port, portSetting, digits);
  }
  if (bind !== undefined) config.bind_addr = readSetting(address, bind, bind.value);
  if (agentHome !== undefined) config.agent_home = resolve(expandHome(agentHome.value, home));
  if (level !== undefined) config.log_level = readSetting(logLevel, level, level.value);
  return config;
}

function readSetting<T>(schema: v.GenericSchema<unknown, T>, setting: Setting, value: unknown): T {
  const result = v.safeParse(schema, value);
  if (result.success) return result.output;
  throw new StartError(`${setting.source} ${result.issues[0].message}, not "${setting.value}".`);
}

/**
 * Reads the text of the configuration file; `null` where there is none.
 *
 * @throws {StartError} for a file that cannot be read.
 */
export async function readConfigText(path: string): Promise<string | null> {
  try {
    // Without the byte order mark that editors on Windows write.
    return new TextDecoder("utf-8", { fatal: true }).decode(await readWholeFile(path, MAX_BYTES));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return null;
    const reason = error instanceof TypeError ? "it is not UTF-8" : message;
    throw new StartError(`The configuration ${path} cannot be read: ${reason}.`, { cause: error });
  }
}

async function parseObject(path: string, text: string): Promise<JsonObject> {
  const read = await parseJson(text);
  if ("mistake" in read) throw mistakesIn(path, [read.mistake]);
  if (isJsonObject(read.value)) return read.value;
  throw mistakesIn(path, ['1:1: expected an object, such as {"http_port": 52131}']);
}

async function parseJson(text: string): Promise<{ value: JsonValue } | { mistake: string }> {
  try {
    return { value: JSON.parse(text) as JsonValue };
  } catch {
    const { readWithComments } = await commentedJson();
    return readWithComments(text);
  }
}

/** Loaded when needed: most files are plain JSON, and a start waits for this. */
function commentedJson() {
  return import("@sm/agent/commented-json");
}

function mistakesIn(path: string, mistakes: string[]): StartError {
  const lines = mistakes.map((mistake) => `${path}:${mistake}`);
  return new StartError(`${lines.join("\n")}\nCorrect the file, or remove it to start with the defaults.`);
}
