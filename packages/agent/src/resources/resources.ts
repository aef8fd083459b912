/// <reference types="node" preserve="true" />
import { realpath } from "node:fs/promises";
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
import { fileError } from "@sm/core/files";
import { isSecretFile } from "../secret-files.ts";
import { inBatches } from "./batches.ts";
import { readFrontMatter } from "./front-matter.ts";
import { isEnabled } from "./overrides.ts";
import { allPlaces, findResources, MAX_PROJECTS, type ResourcesOptions } from "./places.ts";
import { type FoundResourceFile, readHead, readText } from "./resource-files.ts";
import { RESOURCE_KINDS, type ResourceKind, type ResourcePlace } from "./resource-place.ts";
import { skillProblems } from "./skill-problems.ts";
import { readThemeColors } from "./theme-colors.ts";

export type { ResourceKind } from "./resource-place.ts";
export { fileStamp, lookAtResources, type ResourceFiles } from "./watched.ts";
export type { ResourcesOptions };

/** Maximum length of a listing. */
const MAX_RESOURCES = 10_000;
/** Length of a prompt's first line that replaces a missing description; as in the agent. */
const FIRST_LINE = 60;

/** Opens the agent's skills, prompts and themes. Each listing reads the current files. */
export function openResources(options: ResourcesOptions): AgentResources {
  /** Finds the files of a kind with their folders. */
  async function located(kind: ResourceKind, listing: Listing): Promise<LocatedFile[]> {
    const { project, signal } = listing;
    const known = await options.projects();
    // Only folders of known projects are read.
    const projects = project === null ? known.slice(0, MAX_PROJECTS) : known.filter((one) => one === project);
    const places = await allPlaces(kind, projects, options, signal);
    const found = await inBatches(
      places,
      async (place) => (await findResources(kind, place, signal)).files.map((file) => ({ ...file, place })),
      signal,
    );
    // The agent's secrets lie beside the folders of resources. A downloaded project may contain a link to them, which
    // read-only clients must not be able to follow.
    const secrets = await realpath(options.agentDir).catch(() => options.agentDir);
    const allowed = found.flat().filter(({ real }) => dirname(real) !== secrets && !isSecretFile(real));
    return allowed.slice(0, MAX_RESOURCES);
  }

  async function list<Resource extends AgentResource>(
    kind: ResourceKind,
    listing: Listing,
    read: (file: FoundResourceFile, found: FoundResource) => Promise<Resource>,
  ): Promise<Resource[]> {
    const resources = await inBatches(
      await located(kind, listing),
      ({ path, real, place }) =>
        read(
          { path, real },
          {
            path,
            source: place.source,
            project: place.project,
            enabled: isEnabled(path, place.overrides, place.base),
          },
        ),
      listing.signal,
    );
    return withoutTwins(resources);
  }

  return {
    skills: (project, requester) => list("skills", { project, signal: requester?.signal }, readSkill),
    prompts: (project, requester) => list("prompts", { project, signal: requester?.signal }, readPrompt),
    themes: (project, requester) => list("themes", { project, signal: requester?.signal }, readTheme),
    async read(path, requester) {
      const listing = { project: null, signal: requester?.signal };
      const files = await Promise.all(RESOURCE_KINDS.map((kind) => located(kind, listing)));
      const file = files.flat().find((one) => one.path === path);
      if (file === undefined) {
        throw new AppError("FORBIDDEN", `${path} is not a listed skill, prompt or theme.`);
      }
      return { path, content: await wholeOf(file) };
    },
  };
}

/** Scope of a listing (all projects or one) and its cancellation. */
interface Listing {
  project: string | null;
  signal: AbortSignal | undefined;
}

interface LocatedFile extends FoundResourceFile {
  place: ResourcePlace;
}

type FoundResource = Pick<AgentResource, "path" | "source" | "project" | "enabled">;

async function readSkill(file: FoundResourceFile, found: FoundResource): Promise<AgentResource> {
  const folder = basename(dirname(file.path));
  const text = await headOf(file);
  if (text instanceof Error) return unreadable(folder, found, text);
  const { fields, problem } = await readFrontMatter(text);
  const name = textOr(fields.name, folder);
  const description = textOr(fields.description, "").trim();
  const problems = problem === null ? skillProblems(name, description) : [problem];
  // The agent does not load a skill without a description.
  const enabled = found.enabled && description !== "";
  return { name, description: description === "" ? null : description, ...found, enabled, problems };
}

async function readPrompt(file: FoundResourceFile, found: FoundResource): Promise<PromptResource> {
  const name = basename(file.path, ".md");
  const text = await headOf(file);
  if (text instanceof Error) return { ...unreadable(name, found, text), argument_hint: null };
  const { fields, body, problem } = await readFrontMatter(text);
  const firstLine = body.split("\n").find((line) => line.trim() !== "") ?? "";
  const shown = firstLine.length > FIRST_LINE ? `${firstLine.slice(0, FIRST_LINE)}...` : firstLine;
  const description = textOr(fields.description, shown);
  return {
    name,
    description: description === "" ? null : description,
    ...found,
    // The agent ignores a file with invalid front matter.
    enabled: found.enabled && problem === null,
    problems: problem === null ? [] : [problem],
    argument_hint: textOr(fields["argument-hint"], "") || null,
  };
}

async function readTheme(file: FoundResourceFile, found: FoundResource): Promise<ThemeResource> {
  const fileName = basename(file.path, ".json");
  const text = await headOf(file);
  if (text instanceof Error) return { ...unreadable(fileName, found, text), colors: {} };
  let theme: JsonObject;
  try {
    const value: unknown = JSON.parse(text.replace(/^\ufeff/, ""));
    if (!isJsonObject(value)) throw new SyntaxError("it is not an object");
    theme = value;
  } catch (error) {
    return { ...unreadable(fileName, found, error as Error), colors: {} };
  }
  const { colors, problem } = readThemeColors(theme);
  return {
    name: textOr(theme.name, fileName),
    description: null,
    ...found,
    enabled: found.enabled && problem === null,
    problems: problem === null ? [] : [problem],
    colors,
  };
}

/** Of two resources with the same name the agent loads the first one found; projects come before global ones. */
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
      problems: [...resource.problems, `Another one with this name is loaded first: ${twin.path}.`],
    };
  });
}

function unreadable(name: string, found: FoundResource, { message }: Error): AgentResource {
  return { name, description: null, ...found, enabled: false, problems: [`It cannot be read: ${message}.`] };
}

async function headOf({ path, real }: FoundResourceFile): Promise<string | Error> {
  try {
    return await readHead(real);
  } catch (error) {
    return fileError(error, "read", path) ?? new Error("the system refuses it");
  }
}

async function wholeOf({ path, real }: FoundResourceFile): Promise<string> {
  try {
    return await readText(real);
  } catch (error) {
    throw fileError(error, "read", path) ?? error;
  }
}

function textOr(value: unknown, otherwise: string): string {
  return typeof value === "string" && value !== "" ? value : otherwise;
}
