import { stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { isJsonObject, type JsonObject } from "@sm/core";
import { readWithComments } from "../commented-json/read.ts";
import { inBatches } from "./batches.ts";
import { packagesIn, stringsIn } from "./packages.ts";
import { type FoundResources, findFiles, findSkills, readJsonText, realFolders } from "./resource-files.ts";
import type { ResourceKind, ResourcePlace } from "./resource-place.ts";

export interface AgentFolders {
  agentDir: string;
  /** The user's home. */
  home: string;
}

export interface ResourcesOptions extends AgentFolders {
  /** Working directories of known sessions, newest first. */
  projects(): Promise<string[]>;
}

/** Limit of searched projects, newest first. */
export const MAX_PROJECTS = 1_000;

/** Lists the folders of global resources and those of the given projects, without duplicates. */
export async function allPlaces(
  kind: ResourceKind,
  projects: string[],
  folders: AgentFolders,
  signal: AbortSignal | undefined,
): Promise<ResourcePlace[]> {
  const own = await inBatches(projects, (one) => projectPlaces(kind, one, folders), signal);
  // Projects in one repository share its folders.
  const known = new Set<string>();
  const others = own.flat().filter(({ folder, source }) => {
    const isNew = !known.has(folder);
    known.add(folder);
    return isNew || source === "package";
  });
  return [...(await globalPlaces(kind, folders)), ...others];
}

/** Finds the files of a kind in a folder. */
export function findResources(
  kind: ResourceKind,
  place: ResourcePlace,
  signal: AbortSignal | undefined,
): Promise<FoundResources> {
  return kind === "skills"
    ? findSkills(place, place.layout, signal)
    : findFiles(place, kind === "prompts" ? ".md" : ".json");
}

/** Lists the folders of global resources, in the agent's order. */
async function globalPlaces(kind: ResourceKind, { agentDir, home }: AgentFolders): Promise<ResourcePlace[]> {
  // The user's own links may lead anywhere in the home.
  const within = await realFolders([agentDir, home]);
  const settings = await readSettings(join(agentDir, "settings.json"), within);
  const shared = { source: "global", project: null, overrides: stringsIn(settings[kind]), within } as const;
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

/** Lists the resource folders of a working directory. */
async function projectPlaces(kind: ResourceKind, project: string, { home }: AgentFolders): Promise<ResourcePlace[]> {
  const own = join(project, ".pi");
  const within = await realFolders([project]);
  const settings = await readSettings(join(own, "settings.json"), within);
  const shared = { source: "project", overrides: stringsIn(settings[kind]) } as const;
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

/** A working directory and its parents up to the root of its repository, otherwise up to the root of the disk. */
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

/** The agent's settings; empty if missing or invalid, which the agent reports to its user. */
async function readSettings(path: string, within: readonly string[]): Promise<JsonObject> {
  const read = readWithComments((await readJsonText(path, within)) ?? "{}");
  return "value" in read && isJsonObject(read.value) ? read.value : {};
}
