import { dirname, join, resolve } from "node:path";
import { isJsonObject, type JsonObject } from "@sm/core";
import { isInside } from "@sm/core/files";
import { readJsonText, realFolders } from "./resource-files.ts";
import type { ResourceKind, ResourcePlace } from "./resource-place.ts";

/** Location and scope of a settings file. */
export interface SettingsPlace {
  /** Folder of the settings. */
  folder: string;
  /** The user's home. */
  home: string;
  /** For all projects, or for one. */
  isGlobal: boolean;
  /** Working directory of the settings. */
  project: string | null;
}

/** npm's global modules of this Node, where the agent installs packages for all projects. */
const GLOBAL_MODULES = join(dirname(dirname(process.execPath)), "lib", "node_modules");

/** Limit against malicious settings. */
const MAX_PACKAGES = 200;

/**
 * Lists the folders of a resource kind in the packages of settings: `npm:name`, `git:host/path` or a folder, or an
 * object with such a `source` and a list of entries per kind. Installs and downloads nothing.
 */
export async function packagesIn(
  settings: JsonObject,
  kind: ResourceKind,
  place: SettingsPlace,
): Promise<Omit<ResourcePlace, "project">[]> {
  const entries = Array.isArray(settings.packages) ? settings.packages.slice(0, MAX_PACKAGES) : [];
  const places: Omit<ResourcePlace, "project">[] = [];
  for (const entry of entries) {
    const source = isJsonObject(entry) ? entry.source : entry;
    if (typeof source !== "string") continue;
    const root = rootOf(source, place);
    // A repository may contain links in place of packages.
    const project = place.project === null ? null : resolve(place.project);
    const within = await realFolders([project !== null && isInside(root, project) ? project : root]);
    const wanted = isJsonObject(entry) ? entry[kind] : undefined;
    for (const folder of await foldersOf(root, kind, within)) {
      places.push({
        folder,
        source: "package",
        layout: "with root files",
        // An empty list selects nothing.
        overrides: Array.isArray(wanted) ? (wanted.length === 0 ? ["!**"] : stringsIn(wanted)) : [],
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

/** Folders named by the manifest, otherwise the folder named after the kind. */
async function foldersOf(root: string, kind: ResourceKind, within: readonly string[]): Promise<string[]> {
  const named = stringsIn(await manifestEntries(root, kind, within)).filter((entry) => !/^[!+-]|[*?]/.test(entry));
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
export function stringsIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}
