import { createHash } from "node:crypto";
import { realpath, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { isInside } from "@sm/core/files";
import { inBatches } from "./batches.ts";
import { allPlaces, findResources, type ResourcesOptions } from "./places.ts";
import { RESOURCE_KINDS, type ResourceKind, type ResourcePlace } from "./resource-place.ts";

/** Limit of watched projects, newest first; each needs a few watches. */
const MAX_WATCHED_PROJECTS = 50;

/** Fingerprint of the files behind the listings of a kind. */
export interface ResourceFiles {
  /** Folders to watch for changes; may not exist yet. */
  folders: Set<string>;
  /** Equal while no file was changed, added or removed, including settings that select files. */
  stamp: string;
}

/** Fingerprints the files of all listings, without reading the resources. Skips older projects. */
export async function lookAtResources(options: ResourcesOptions): Promise<Record<ResourceKind, ResourceFiles>> {
  const projects = (await options.projects()).slice(0, MAX_WATCHED_PROJECTS);
  const bases = new Map<string, Promise<Base>>();
  const [skills, prompts, themes] = await Promise.all(
    RESOURCE_KINDS.map((kind) => lookAtKind(kind, projects, options, bases)),
  );
  return { skills, prompts, themes } as Record<ResourceKind, ResourceFiles>;
}

/** What determines the selected resources of a folder. */
interface Base {
  folders: string[];
  /** Settings of the agent or of a project, or the manifest of a package. */
  files: string[];
}

async function lookAtKind(
  kind: ResourceKind,
  projects: string[],
  options: ResourcesOptions,
  bases: Map<string, Promise<Base>>,
): Promise<ResourceFiles> {
  const places = await allPlaces(kind, projects, options, undefined);
  const folders = new Set<string>();
  const files = new Set<string>();
  const looks = await inBatches(
    places,
    async (place) => {
      const found = await findResources(kind, place, undefined);
      // Shared by the kinds.
      const base = bases.get(place.base) ?? lookAtBase(place);
      bases.set(place.base, base);
      return { found, base: await base, folder: await watchable(place.folder, place) };
    },
    undefined,
  );
  for (const { found, base, folder } of looks) {
    for (const path of [folder, ...base.folders, ...found.folders]) folders.add(path);
    for (const path of base.files) files.add(path);
    for (const { real } of found.files) {
      files.add(real);
      folders.add(dirname(real));
    }
  }
  const hash = createHash("sha256");
  const paths = [...files].sort();
  const stamps = await inBatches(paths, fileStamp, undefined);
  // A new project without resources changes nothing.
  for (const [index, stamp] of stamps.entries()) if (stamp !== null) hash.update(`${paths[index]}\0${stamp}\0`);
  return { folders, stamp: hash.digest("hex") };
}

async function lookAtBase(place: ResourcePlace): Promise<Base> {
  const base: Base = { folders: [await watchable(place.base, place)], files: [] };
  for (const name of ["settings.json", "package.json"]) {
    const path = join(place.base, name);
    const real = await realpath(path).catch(() => null);
    if (real === null || !place.within.some((folder) => isInside(real, folder))) continue;
    base.files.push(path);
    base.folders.push(dirname(real));
  }
  return base;
}

/** The folder to watch, or its parent if it is a link out of the allowed folders. */
async function watchable(path: string, { within }: ResourcePlace): Promise<string> {
  const real = await realpath(path).catch(() => path);
  return within.some((folder) => isInside(real, folder)) ? path : dirname(path);
}

/** Fingerprint that changes when a file is written or replaced; `null` if it does not exist. */
export async function fileStamp(path: string): Promise<string | null> {
  const status = await stat(path).catch(() => null);
  return status === null ? null : `${status.ino} ${status.size} ${status.mtimeMs} ${status.ctimeMs}`;
}
