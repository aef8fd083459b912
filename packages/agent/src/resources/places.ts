import { stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { isJsonObject, type JsonObject } from "@sm/core";
import { readWithComments } from "../commented-json/read.ts";
import { inBatches } from "./batches.ts";
import { type Found, findFiles, findSkills, readJsonText, realFolders } from "./files.ts";
import { packagesIn, textsOf } from "./packages.ts";
import type { ResourceKind, ResourcePlace } from "./resource-place.ts";

export interface AgentFolders {
  agentDir: string;
  /** The user's. */
  home: string;
}

export interface ResourcesOptions extends AgentFolders {
  /** The working directories of known sessions, the newest first. */
  projects(): Promise<string[]>;
}

/** Projects that are looked at, the newest first: most have nothing of their own. */
export const MOST_PROJECTS = 1_000;

/** Names the folders that belong to all projects and those that belong to these, each once. */
export async function allPlaces(
  kind: ResourceKind,
  projects: string[],
  folders: AgentFolders,
  signal: AbortSignal | undefined,
): Promise<ResourcePlace[]> {
  const own = await inBatches(projects, (one) => projectPlaces(kind, one, folders), signal);
  // Projects of one repository have its folders in common.
  const known = new Set<string>();
  const others = own.flat().filter(({ folder, source }) => {
    const isNew = !known.has(folder);
    known.add(folder);
    return isNew || source === "package";
  });
  return [...(await globalPlaces(kind, folders)), ...others];
}

/** Finds the files of a kind in a place. */
export function findResources(
  kind: ResourceKind,
  place: ResourcePlace,
  signal: AbortSignal | undefined,
): Promise<Found> {
  return kind === "skills"
    ? findSkills(place, place.layout, signal)
    : findFiles(place, kind === "prompts" ? ".md" : ".json");
}

/** Names the folders that belong to all projects, in the order in which the agent looks at them. */
async function globalPlaces(kind: ResourceKind, { agentDir, home }: AgentFolders): Promise<ResourcePlace[]> {
  // The user's own links may lead to wherever the user keeps such files, but not out of the home.
  const within = await realFolders([agentDir, home]);
  const settings = await readSettings(join(agentDir, "settings.json"), within);
  const shared = { source: "global", project: null, overrides: textsOf(settings[kind]), within } as const;
  const places: ResourcePlace[] = [
    { ...shared, folder: join(agentDir, kind), layout: "with root files", base: agentDir },
  ];
  if (kind === "skills") {
    const agents = join(home, ".agents");
    places.push({ ...shared, folder: join(agents, kind), layout: "folders only", base: agents });
  }
  const packages = await packagesIn(settings, kind, { folder: agentDir, home, isGlobal: true, project: null });
  return [...places, ...packages.map((place) => ({ ...place, project: null }))];
}

/** Names the folders that belong to a working directory. */
async function projectPlaces(kind: ResourceKind, project: string, { home }: AgentFolders): Promise<ResourcePlace[]> {
  const own = join(project, ".pi");
  const within = await realFolders([project]);
  const settings = await readSettings(join(own, "settings.json"), within);
  const shared = { source: "project", overrides: textsOf(settings[kind]) } as const;
  const places: ResourcePlace[] = [
    { ...shared, project, within, folder: join(own, kind), layout: "with root files", base: own },
  ];
  for (const folder of kind === "skills" ? await upToRepository(project) : []) {
    const agents = join(folder, ".agents");
    if (agents === resolve(home, ".agents")) continue;
    places.push({
      ...shared,
      project: folder,
      within: await realFolders([folder]),
      folder: join(agents, kind),
      layout: "folders only",
      base: agents,
    });
  }
  const packages = await packagesIn(settings, kind, { folder: own, home, isGlobal: false, project });
  return [...places, ...packages.map((place) => ({ ...place, project }))];
}

/** A working directory and those above it up to the root of its repository, without one up to that of the disk. */
async function upToRepository(project: string): Promise<string[]> {
  const folders: string[] = [];
  for (let folder = resolve(project); ; folder = dirname(folder)) {
    folders.push(folder);
    const isRoot = await stat(join(folder, ".git")).then(
      () => true,
      () => false,
    );
    if (isRoot || folder === dirname(folder)) return folders;
  }
}

/** The agent's settings; none where the file is missing or has a mistake, which the agent tells its user. */
async function readSettings(path: string, within: readonly string[]): Promise<JsonObject> {
  const read = readWithComments((await readJsonText(path, within)) ?? "{}");
  return "value" in read && isJsonObject(read.value) ? read.value : {};
}
