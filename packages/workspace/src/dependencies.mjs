import { existsSync, readFileSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { giveUp } from "./run.mjs";

const NONE = new Set();

/**
 * Lays out what a package needs when it runs as npm does: each dependency at the top, or below the one that needs
 * another version of it than lies there. Ends the program where one is not installed here, unless `mayMiss` lets optional
 * ones be left out that could not be compiled.
 *
 * Of each: where it is installed here (`source`), its `path` below the package (`node_modules/a/node_modules/b`), and
 * whether only optional dependencies lead to it. `leftOut` are names.
 */
export function layOutDependencies(folder, { leftOut = NONE, mayMiss = false } = {}) {
  const placed = new Map();
  const queue = [{ source: realpathSync(folder), path: "", needs: [] }];
  for (const { source, path, needs } of queue) {
    const { dependencies = {}, optionalDependencies = {} } = readManifest(source);
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      if (leftOut.has(name)) continue;
      const isOptional = name in optionalDependencies;
      const wanted = findPackage(name, source);
      if (wanted === null) {
        if (isOptional && mayMiss) continue;
        giveUp(`${name} is not installed, which ${source} needs. Run npm start once.`);
      }
      const seen = pathsAbove(path, name).find((candidate) => placed.has(candidate));
      const isThere = seen !== undefined && placed.get(seen).source === wanted;
      const target = isThere ? seen : below(seen === undefined ? "" : path, name);
      if (!isThere) {
        placed.set(target, { source: wanted, path: target, needs: [] });
        queue.push(placed.get(target));
      }
      if (!isOptional) needs.push(target);
    }
  }
  const required = reach(queue[0].needs, placed);
  return [...placed.values()].map(({ source, path }) => ({ source, path, isOptional: !required.has(path) }));
}

/** Reads the package.json of a folder. */
export function readManifest(folder) {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
}

/** Everything that these need, and they themselves. */
function reach(paths, placed) {
  const reached = new Set(paths);
  for (const path of reached) for (const needed of placed.get(path).needs) reached.add(needed);
  return reached;
}

/** Where Node looks for a package from a path of the layout, the nearest first. */
function pathsAbove(path, name) {
  if (path === "") return [below("", name)];
  const parent = path.slice(0, Math.max(0, path.lastIndexOf("/node_modules/")));
  return [below(path, name), ...pathsAbove(parent, name)];
}

function below(path, name) {
  return path === "" ? `node_modules/${name}` : `${path}/node_modules/${name}`;
}

function findPackage(name, from) {
  const folder = join(from, "node_modules", name);
  if (existsSync(join(folder, "package.json"))) return realpathSync(folder);
  return dirname(from) === from ? null : findPackage(name, dirname(from));
}
