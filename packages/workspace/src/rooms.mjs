import { readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { ROOT } from "./root.mjs";

const ARCHITECTURE = "docs/architecture.md";
/** A table of rooms, each of which imports only rooms of the lines below its own. */
const TABLE = /^Within `([^`]+)`.*\n\n((?:\|.*\n)+)/gm;
const SOURCE = /\.tsx?$/;
const NO_SOURCE = /\.(test|fixture)\.tsx?$/;
const IMPORT = /\b(?:from|import)\s*\(?\s*"(\.[^"]+)"/g;

/**
 * Holds the folders that `docs/architecture.md` divides into rooms to its tables, types included. Circles of single files
 * are the linter's affair.
 */
export function wrongRooms() {
  return [...readFileSync(join(ROOT, ARCHITECTURE), "utf8").matchAll(TABLE)].flatMap(([, house, table]) => {
    const lines = linesOf(table);
    return [...importsOf(join(ROOT, house))].flatMap(([room, imported]) => {
      if (!lines.has(room)) return [`${house}/${room} is not in ${ARCHITECTURE}`];
      const wrong = [...imported].filter((other) => lines.get(other) <= lines.get(room));
      return wrong.map((other) => `${house}/${room} imports ${other}, which ${ARCHITECTURE} does not have below it`);
    });
  });
}

/** Each room of a table with its line. What lies directly in the house, its entry, is above all. */
function linesOf(table) {
  const rows = table.trimEnd().split("\n").slice(2);
  const names = rows.map((row) => [...row.split("|")[1].matchAll(/`([^`]+)`/g)].map(([, name]) => name));
  return new Map([[".", -1], ...names.flatMap((line, at) => line.map((name) => [name, at]))]);
}

/** Each room with those that it imports. */
function importsOf(house) {
  const rooms = new Map();
  for (const path of readdirSync(house, { recursive: true })) {
    const file = join(house, path);
    if (!SOURCE.test(path) || NO_SOURCE.test(path) || !statSync(file).isFile()) continue;
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

function roomOf(path) {
  return path.includes(sep) ? path.slice(0, path.indexOf(sep)) : ".";
}
