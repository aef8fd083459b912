import { dirname, join, resolve } from "node:path";
import { isJsonObject, type JsonObject } from "@sm/core";
import { isInside } from "@sm/core/files";
import { readJsonText, realFolders } from "./files.ts";
import type { ResourceKind, ResourcePlace } from "./resource-place.ts";

/** Where a file of settings lies, and whose it is. */
export interface SettingsPlace {
  /** That the settings lie in. */
  folder: string;
  /** The user's. */
  home: string;
  /** Of all projects, or of one. */
  isGlobal: boolean;
  /** The working directory that the settings belong to. */
  project: string | null;
}

/** npm's folder of global modules beside the Node that runs this, where the agent installs packages for all projects. */
const GLOBAL_MODULES = join(dirname(dirname(process.execPath)), "lib", "node_modules");

/** Settings with more are somebody's attack. */
const MOST_PACKAGES = 200;

/**
 * Names the folders of a kind in the packages that settings name: `npm:name`, `git:host/path` or a folder, or an object
 * with such a `source` and a list of what of each kind is wanted. Nothing is installed or fetched.
 */
export async function packagesIn(
  settings: JsonObject,
  kind: ResourceKind,
  place: SettingsPlace,
): Promise<Omit<ResourcePlace, "project">[]> {
  const entries = Array.isArray(settings.packages) ? settings.packages.slice(0, MOST_PACKAGES) : [];
  const places: Omit<ResourcePlace, "project">[] = [];
  for (const entry of entries) {
    const source = isJsonObject(entry) ? entry.source : entry;
    if (typeof source !== "string") continue;
    const root = rootOf(source, place);
    // A repository that holds a package holds links in its place as easily.
    const project = place.project === null ? null : resolve(place.project);
    const within = await realFolders([project !== null && isInside(root, project) ? project : root]);
    const wanted = isJsonObject(entry) ? entry[kind] : undefined;
    for (const folder of await foldersOf(root, kind, within)) {
      places.push({
        folder,
        source: "package",
        layout: "with root files",
        // An empty list wants none.
        overrides: Array.isArray(wanted) ? (wanted.length === 0 ? ["!**"] : textsOf(wanted)) : [],
        base: root,
        within,
      });
    }
  }
  return places;
}

function rootOf(source: string, { folder, home, isGlobal }: SettingsPlace): string {
  if (source.startsWith("npm:")) {
    // Without its version.
    const name = source.slice(4).replace(/(?<=.)@[^/]*$/, "");
    return join(isGlobal ? GLOBAL_MODULES : join(folder, "npm", "node_modules"), ...name.split("/"));
  }
  const git =
    /^(?:git:)?(?:https?:\/\/|ssh:\/\/(?:[^@/]*@)?|[^@/\s]+@)?([\w.-]+\.[a-z]+)[/:]([^@#\s]+?)(?:\.git)?(?:[@#].*)?$/i.exec(
      source,
    );
  if (git !== null && !source.startsWith(".") && !source.startsWith("~")) {
    return join(folder, "git", git[1] ?? "", ...(git[2] ?? "").split("/"));
  }
  const path = source.startsWith("~/") ? join(home, source.slice(2)) : source;
  return resolve(folder, path);
}

/** What the manifest names, else the folder that is called like the kind. */
async function foldersOf(root: string, kind: ResourceKind, within: readonly string[]): Promise<string[]> {
  const named = textsOf(await manifestEntries(root, kind, within)).filter((entry) => !/^[!+-]|[*?]/.test(entry));
  const folders = named.map((entry) => resolve(root, entry)).filter((folder) => isInside(folder, root));
  return folders.length > 0 ? folders : [join(root, kind)];
}

async function manifestEntries(root: string, kind: ResourceKind, within: readonly string[]): Promise<unknown> {
  try {
    const manifest: unknown = JSON.parse((await readJsonText(join(root, "package.json"), within)) ?? "null");
    return isJsonObject(manifest) && isJsonObject(manifest.pi) ? manifest.pi[kind] : undefined;
  } catch {
    return undefined;
  }
}

/** The strings in an array; empty for any other value. */
export function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}
