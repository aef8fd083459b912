import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { JsonObject, SessionPage, Tag } from "@sm/core";
import { createDispatcher, StreamedJson } from "@sm/router";
import { createServices } from "./create-services.ts";
import { stoppedSending } from "./hub/hub-sending.ts";
import { NO_OTHER_AGENTS } from "./no-other-agents.fixture.ts";
import { noPrograms } from "./programs.ts";
import { createPush } from "./push/push.ts";
import { createShares } from "./shares/shares.ts";
import { openStores } from "./stores.ts";

// Opens the services on a folder, says what is there, and then changes something again and again until it is killed.
// Each line that it prints is an object: what it finds, then in turn what it begins and what there is after that.

/** Everything that commands can change. */
export interface Found {
  server: JsonObject;
  preferences: JsonObject;
  settings: JsonObject | null;
  models: JsonObject | null;
  tags: Omit<Tag, "session_count">[];
  /** Ids of tags by the path of the session. */
  tagged: Record<string, string[]>;
  favorites: string[];
}

/** A command, and for one that brings something back: what. */
export interface Step {
  command: string;
  payload: JsonObject;
  content?: JsonObject;
}

export type Line = { found: Found; newest: JsonObject | null; versions: number } | { step: Step };

const [folder = ""] = process.argv.slice(2);
const at = (...names: string[]) => join(folder, ...names);
const log = {
  info: () => {},
  warn: () => {},
  error: (fields: object) => print({ error: String(Object.values(fields)) }),
};

function print(line: Line | { error: string }): void {
  // At once, as Node writes to a pipe.
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

const path = at("config", "session-manager.json");
const sessionPaths = await readFile(path, "utf8").then(
  (text) => (JSON.parse(text) as { session_paths?: string[] }).session_paths ?? [],
  () => [],
);
const directories = { agentDir: at("home", "agent"), agentHome: at("home"), dataDir: at("data"), sessionPaths, log };
const stores = await openStores({ ...directories, watch: false });
const bus = { publish: () => {} };
const programs = noPrograms();
const shares = createShares({
  config: { bind_addr: "127.0.0.1", allowed_hosts: [], allowed_origins: [], sharing: { enabled: false } },
  dataDir: at("data"),
  library: stores.library,
  serviceUrl: () => "http://127.0.0.1",
  log,
});
const services = createServices({
  ...directories,
  ...stores,
  agentSessionPaths: [],
  ...NO_OTHER_AGENTS,
  env: {},
  hubSending: stoppedSending(null),
  path,
  home: folder,
  programs,
  shares,
  push: createPush({ ...stores, dataDir: at("data"), tokens: stores.state.tokens, sessions: async () => [], log }),
  bus,
});
const dispatcher = createDispatcher(services, { log });

async function ask<Data>(command: string, payload: JsonObject = {}): Promise<Data> {
  const { success, data, error } = await dispatcher.dispatch(
    { command, payload },
    { local: true, scope: "full", tokenId: null },
  );
  if (!success) throw new Error(`${command}: ${error.message}`);
  return (data instanceof StreamedJson ? await data.collect() : data) as Data;
}

type Bundle = Omit<Found, "settings" | "models"> & {
  agent_settings: JsonObject | null;
  model_config: JsonObject | null;
};

async function look(): Promise<Found> {
  const { server, preferences, tags, agent_settings, model_config } = await ask<Bundle>("get_config_bundle");
  const { sessions } = await ask<SessionPage>("list_sessions");
  const favorites = await ask<string[]>("list_favorites");
  const tagged = Object.fromEntries(sessions.map(({ path, tag_ids }) => [path, [...tag_ids].sort()]));
  return { server, preferences, settings: agent_settings, models: model_config, tags, tagged, favorites };
}

function pick<Item>(items: readonly Item[]): Item | undefined {
  return items[Math.floor(Math.random() * items.length)];
}

let number = Number(process.argv[3]);
const models = (): JsonObject => ({ providers: {}, number: ++number });

/** Random changes of every kind; `null` where there is nothing yet that it could be made to. */
const KINDS: ((found: Found) => Promise<Step | null> | Step | null)[] = [
  ({ tags }) => ({
    command: "create_tag",
    payload: { name: `tag ${++number}`, color: "#112233", parent_id: pick(tags)?.id ?? null },
  }),
  ({ tags }) => {
    const id = pick(tags)?.id;
    return id === undefined
      ? null
      : { command: "update_tag", payload: { id, name: `tag ${++number}`, parent_id: null } };
  },
  ({ tags }) => {
    const id = tags.length < 4 ? undefined : pick(tags)?.id;
    return id === undefined ? null : { command: "delete_tag", payload: { id } };
  },
  ...["assign_tag", "remove_tag"].map((command) => ({ tags, tagged }: Found): Step | null => {
    const tag_id = pick(tags)?.id;
    return tag_id === undefined ? null : { command, payload: { session_paths: Object.keys(tagged), tag_id } };
  }),
  ({ tagged }) => ({ command: "toggle_favorite", payload: { path: pick(Object.keys(tagged)) ?? "" } }),
  () => ({
    command: "save_session_paths",
    payload: { paths: ["a", "b", "c"].filter(() => Math.random() < 0.5).map((name) => at("further", name)) },
  }),
  () => ({ command: "save_model_config", payload: models() }),
  async () => {
    const content = models();
    await writeFile(at("import.json"), JSON.stringify(content));
    return { command: "import_model_config_from_path", payload: { path: at("import.json") }, content };
  },
  async () => {
    const backup = pick(
      (await readdir(at("data", "model-config-backups")).catch(() => [])).filter((name) => !name.startsWith(".")),
    );
    if (backup === undefined) return null;
    const content = JSON.parse(await readFile(at("data", "model-config-backups", backup), "utf8")) as JsonObject;
    return { command: "restore_model_config_backup", payload: { backup_name: backup }, content };
  },
  async ({ tags }) => {
    const bundle = await ask<JsonObject>("get_config_bundle");
    const payload = {
      ...bundle,
      server: { ...(bundle.server as JsonObject), number: ++number },
      preferences: { number },
      agent_settings: number % 3 === 0 ? null : { number, filling: "x".repeat(2_000) },
      model_config: { providers: {}, number },
      // None of them has one below it that would lose its place.
      tags: tags
        .filter(({ id }) => number % 4 > 0 || tags.some(({ parent_id }) => parent_id === id))
        .map((tag) => ({ ...tag })),
    };
    return { command: "save_config_bundle", payload, content: payload };
  },
  async () => {
    const id = pick(await ask<{ id: string }[]>("list_config_versions"))?.id;
    if (id === undefined) return null;
    const { bundle } = await ask<{ bundle: JsonObject }>("get_config_version", { id });
    return { command: "restore_config_version", payload: { id }, content: bundle };
  },
];

async function report(): Promise<Found> {
  const found = await look();
  const versions = await stores.state.versions.list();
  print({ found, newest: (await stores.state.versions.latest())?.bundle ?? null, versions: versions.length });
  return found;
}

await ask("scan_sessions");
// What a server does at its start.
await services.configuration.noticeEdits();
for (let found = await report(); ; ) {
  const step = await pick(KINDS)?.(found);
  if (step === undefined || step === null) continue;
  print({ step });
  await ask(step.command, step.payload);
  found = await report();
}
