import { open, realpath } from "node:fs/promises";
import { basename, dirname } from "node:path";
import {
  type AgentResource,
  type AgentResources,
  AppError,
  isJsonObject,
  type JsonObject,
  type PromptResource,
  type ThemeResource,
} from "@sm/core";
import { fileError } from "@sm/core/node";
import { inBatches } from "./batches.ts";
import { type FoundFile, findFiles, findSkills, readHead } from "./files.ts";
import { readFrontMatter } from "./front-matter.ts";
import { isEnabled } from "./overrides.ts";
import { type AgentFolders, globalPlaces, projectPlaces, type ResourceKind, type ResourcePlace } from "./places.ts";
import { skillProblems } from "./skill-problems.ts";
import { themeColors } from "./theme-colors.ts";

export interface ResourcesOptions extends AgentFolders {
  /** The working directories of known sessions, the newest first. */
  projects(): Promise<string[]>;
}

/** Of one listing. */
const MOST_RESOURCES = 10_000;
/** Projects that are looked at, the newest first: most have nothing of their own. */
const MOST_PROJECTS = 1_000;
/** Of a prompt's first line, where it has no description; as the agent shows it. */
const FIRST_LINE = 60;
const LARGEST_TEXT = 1024 * 1024;

/** Opens the skills, prompts and themes of the agent. Each listing looks at the files as they are. */
export function openResources(options: ResourcesOptions): AgentResources {
  async function placesOf(kind: ResourceKind, project: string | null): Promise<ResourcePlace[]> {
    const known = await options.projects();
    // A folder that is no project is nobody's to look into.
    const projects = project === null ? known.slice(0, MOST_PROJECTS) : known.filter((one) => one === project);
    const own = await inBatches(projects, (one) => projectPlaces(kind, one, options));
    return [...(await globalPlaces(kind, options)), ...own.flat()];
  }

  async function list<Resource extends AgentResource>(
    kind: ResourceKind,
    project: string | null,
    find: (place: ResourcePlace) => Promise<FoundFile[]>,
    read: (path: string, found: FoundResource) => Promise<Resource>,
  ): Promise<Resource[]> {
    const places = await placesOf(kind, project);
    const found = await inBatches(places, async (place) => (await find(place)).map((file) => ({ ...file, place })));
    // Beside the folders of resources lie the agent's secrets. A project from somewhere else may hold a link to them,
    // which nobody who only may read is to follow.
    const secrets = await realpath(options.agentDir).catch(() => options.agentDir);
    const allowed = found.flat().filter(({ real }) => dirname(real) !== secrets);
    const resources = await inBatches(allowed.slice(0, MOST_RESOURCES), ({ path, place }) =>
      read(path, {
        path,
        source: place.source,
        project: place.project,
        enabled: isEnabled(path, place.overrides, place.base),
      }),
    );
    return withoutTwins(resources);
  }

  const skills = (project: string | null) =>
    list("skills", project, ({ folder, layout }) => findSkills(folder, layout), readSkill);
  const prompts = (project: string | null) =>
    list("prompts", project, ({ folder }) => findFiles(folder, ".md"), readPrompt);
  const themes = (project: string | null) =>
    list("themes", project, ({ folder }) => findFiles(folder, ".json"), readTheme);

  return {
    skills,
    prompts,
    themes,
    async read(path) {
      const listed = await Promise.all([skills(null), prompts(null), themes(null)]);
      if (!listed.flat().some((resource) => resource.path === path)) {
        throw new AppError("FORBIDDEN", `${path} is none of the skills, prompts and themes that are listed.`);
      }
      return { path, content: await readWhole(path) };
    },
  };
}

type FoundResource = Pick<AgentResource, "path" | "source" | "project" | "enabled">;

async function readSkill(path: string, found: FoundResource): Promise<AgentResource> {
  const folder = basename(dirname(path));
  const text = await headOf(path);
  if (text instanceof Error) return unreadable(folder, found, text);
  const { fields, problem } = await readFrontMatter(text);
  const name = textOr(fields.name, folder);
  const description = textOr(fields.description, "").trim();
  const problems = problem === null ? skillProblems(name, description) : [problem];
  // The agent does not load a skill of which it cannot tell the model what it is for.
  const enabled = found.enabled && description !== "";
  return { name, description: description === "" ? null : description, ...found, enabled, problems };
}

async function readPrompt(path: string, found: FoundResource): Promise<PromptResource> {
  const name = basename(path, ".md");
  const text = await headOf(path);
  if (text instanceof Error) return { ...unreadable(name, found, text), argument_hint: null };
  const { fields, body, problem } = await readFrontMatter(text);
  const firstLine = body.split("\n").find((line) => line.trim() !== "") ?? "";
  const shown = firstLine.length > FIRST_LINE ? `${firstLine.slice(0, FIRST_LINE)}...` : firstLine;
  const description = textOr(fields.description, shown);
  return {
    name,
    description: description === "" ? null : description,
    ...found,
    // The agent leaves out a file whose front matter it cannot read.
    enabled: found.enabled && problem === null,
    problems: problem === null ? [] : [problem],
    argument_hint: textOr(fields["argument-hint"], "") || null,
  };
}

async function readTheme(path: string, found: FoundResource): Promise<ThemeResource> {
  const fileName = basename(path, ".json");
  const text = await headOf(path);
  if (text instanceof Error) return { ...unreadable(fileName, found, text), colors: {} };
  let theme: JsonObject;
  try {
    const value: unknown = JSON.parse(text.replace(/^\ufeff/, ""));
    if (!isJsonObject(value)) throw new SyntaxError("it is no object");
    theme = value;
  } catch (error) {
    return { ...unreadable(fileName, found, error as Error), colors: {} };
  }
  const { colors, problems } = themeColors(theme);
  const name = textOr(theme.name, "");
  if (name === "") problems.unshift('The field "name" is missing.');
  return {
    name: name || fileName,
    description: null,
    ...found,
    enabled: found.enabled && problems.length === 0,
    problems,
    colors,
  };
}

/** Of two of a name the agent loads the first that it finds, a project's before one for all. */
function withoutTwins<Resource extends AgentResource>(resources: Resource[]): Resource[] {
  const first = new Map<string, AgentResource>();
  const keyOf = ({ name }: AgentResource, project: string | null) => JSON.stringify([project, name]);
  return resources.map((resource) => {
    if (!resource.enabled) return resource;
    const key = keyOf(resource, resource.project);
    const twin = first.get(key);
    if (twin === undefined) first.set(key, resource);
    if (twin === undefined || twin.path === resource.path) return resource;
    return {
      ...resource,
      enabled: false,
      problems: [...resource.problems, `Another one of this name is loaded first: ${twin.path}.`],
    };
  });
}

function unreadable(name: string, found: FoundResource, { message }: Error): AgentResource {
  return { name, description: null, ...found, enabled: false, problems: [`It cannot be read: ${message}.`] };
}

async function headOf(path: string): Promise<string | Error> {
  try {
    return await readHead(path);
  } catch (error) {
    return fileError(error, "read", path) ?? new Error("the system refuses it");
  }
}

async function readWhole(path: string): Promise<string> {
  try {
    const file = await open(path, "r");
    try {
      if ((await file.stat()).size > LARGEST_TEXT) {
        throw new AppError("PAYLOAD_TOO_LARGE", `${path} is larger than 1 MiB.`);
      }
      return await file.readFile("utf8");
    } finally {
      await file.close();
    }
  } catch (error) {
    throw fileError(error, "read", path) ?? error;
  }
}

function textOr(value: unknown, otherwise: string): string {
  return typeof value === "string" && value !== "" ? value : otherwise;
}
