import { join, resolve } from "node:path";
import { isJsonObject, type JsonObject, type ResourceSource } from "@sm/core";
import { readWithComments } from "../commented-json/read.ts";
import { readJsonText, type SkillLayout } from "./files.ts";
import { packagesIn, textsOf } from "./packages.ts";

export type ResourceKind = "skills" | "prompts" | "themes";

/** A folder in which the agent looks for resources of a kind. */
export interface ResourcePlace {
  folder: string;
  source: ResourceSource;
  /** The working directory that it belongs to, `null` where it belongs to all. */
  project: string | null;
  layout: SkillLayout;
  /** What the settings say about files of this kind, and the folder that it is relative to. */
  overrides: string[];
  base: string;
}

export interface AgentFolders {
  agentDir: string;
  /** The user's. */
  home: string;
}

/** Names the folders that belong to all projects, in the order in which the agent looks at them. */
export async function globalPlaces(kind: ResourceKind, { agentDir, home }: AgentFolders): Promise<ResourcePlace[]> {
  const settings = await readSettings(join(agentDir, "settings.json"));
  const shared = { source: "global", project: null, overrides: textsOf(settings[kind]) } as const;
  const places: ResourcePlace[] = [
    { ...shared, folder: join(agentDir, kind), layout: "with root files", base: agentDir },
  ];
  if (kind === "skills") {
    const agents = join(home, ".agents");
    places.push({ ...shared, folder: join(agents, kind), layout: "folders only", base: agents });
  }
  const packages = await packagesIn(settings, kind, { folder: agentDir, home, isGlobal: true });
  return [...places, ...packages.map((place) => ({ ...place, project: null }))];
}

/** Names the folders that belong to a working directory. */
export async function projectPlaces(
  kind: ResourceKind,
  project: string,
  { home }: AgentFolders,
): Promise<ResourcePlace[]> {
  const own = join(project, ".pi");
  const settings = await readSettings(join(own, "settings.json"));
  const shared = { source: "project", project, overrides: textsOf(settings[kind]) } as const;
  const places: ResourcePlace[] = [{ ...shared, folder: join(own, kind), layout: "with root files", base: own }];
  const agents = join(project, ".agents");
  if (kind === "skills" && resolve(agents) !== resolve(home, ".agents")) {
    places.push({ ...shared, folder: join(agents, kind), layout: "folders only", base: agents });
  }
  const packages = await packagesIn(settings, kind, { folder: own, home, isGlobal: false });
  return [...places, ...packages.map((place) => ({ ...place, project }))];
}

/** The agent's settings; none where the file is missing or has a mistake, which the agent tells its user. */
async function readSettings(path: string): Promise<JsonObject> {
  const read = readWithComments((await readJsonText(path)) ?? "{}");
  return "value" in read && isJsonObject(read.value) ? read.value : {};
}
