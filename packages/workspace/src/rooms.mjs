import { readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { ROOT } from "./root.mjs";

/** Folders whose subfolders are rooms: what is in one may import what is in another, but never in a circle. */
const HOUSES = ["packages/core/src/node", "packages/text-index/src"];
const NO_SOURCE = /\.(test|fixture)\.ts$/;
const IMPORT = /\b(?:from|import)\s*\(?\s*"(\.[^"]+)"/g;

/** Finds rooms that import each other, types included, by way of others too. Single files are the linter's affair. */
export function roomsInCircles() {
  return HOUSES.flatMap((house) => {
    const rooms = importsOf(join(ROOT, house));
    return [...rooms.keys()].filter((room) => reaches(rooms, room).has(room)).map((room) => join(house, room));
  });
}

/** Each room with those that it imports. */
function importsOf(house) {
  const rooms = new Map();
  for (const path of readdirSync(house, { recursive: true })) {
    const file = join(house, path);
    if (!path.endsWith(".ts") || NO_SOURCE.test(path) || !statSync(file).isFile()) continue;
    const room = roomOf(path);
    const imported = rooms.get(room) ?? new Set();
    rooms.set(room, imported);
    for (const [, target] of readFileSync(file, "utf8").matchAll(IMPORT)) {
      const other = relative(house, join(dirname(file), target));
      if (!other.startsWith("..") && roomOf(other) !== room) imported.add(roomOf(other));
    }
  }
  return rooms;
}

/** What lies directly in the house, its entry, is a room too. */
function roomOf(path) {
  return path.includes(sep) ? path.slice(0, path.indexOf(sep)) : ".";
}

function reaches(rooms, start) {
  const found = new Set();
  const left = [start];
  for (let room = left.pop(); room !== undefined; room = left.pop()) {
    for (const next of rooms.get(room) ?? []) {
      if (found.has(next)) continue;
      found.add(next);
      left.push(next);
    }
  }
  return found;
}
