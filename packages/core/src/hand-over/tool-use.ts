import type { JsonObject, JsonValue } from "../json.ts";

/** What a call does to a file, by the name of its tool: agents share no names, but words. */
export type FileUse = "wrote" | "read" | "used";

/** Words in the names of tools that write. */
export const WRITES = /write|edit|patch|replace|create|insert|notebook|delete|rename|move/i;
const READS = /read|view|cat|open|grep|search|find|glob|\bls\b|list/i;

export function useOf(toolName: string | null): FileUse {
  if (toolName === null) return "used";
  if (WRITES.test(toolName)) return "wrote";
  return READS.test(toolName) ? "read" : "used";
}

const PATH_KEY = /(?:^|[_-])(?:path|file)$|Path$|File$/;
/** Files that a patch in Codex's form names. */
const PATCHED = /^\*\*\* (?:Add|Update|Delete) File: (.+)$/gm;
/** Of a patch, as much is looked through. */
const MOST_OF_PATCH = 200_000;
const MOST_FILES = 100;

/** Paths in the arguments of a call, as the model gave them. */
export function filesOf(args: JsonObject): string[] {
  const files = new Set<string>();
  for (const [name, value] of Object.entries(args)) {
    // Those of a patch.
    for (const file of name === "files" && Array.isArray(value) ? value : []) {
      if (isPath(file) && files.size < MOST_FILES) files.add(file);
    }
    if (typeof value !== "string" || files.size >= MOST_FILES) continue;
    if (PATH_KEY.test(name) && isPath(value)) files.add(value);
    else if (value.includes("*** ")) {
      for (const [, path] of value.slice(0, MOST_OF_PATCH).matchAll(PATCHED)) {
        if (path !== undefined && files.size < MOST_FILES) files.add(path.trim());
      }
    }
  }
  return [...files];
}

function isPath(value: JsonValue): value is string {
  return typeof value === "string" && value !== "" && value.length <= 4_096;
}

/** The shell command of a call; `null` if it runs none. */
export function commandOf(args: JsonObject): string | null {
  const given: JsonValue | undefined = args.command ?? args.cmd ?? args.script;
  if (typeof given === "string") return given;
  return Array.isArray(given) && given.every((word) => typeof word === "string") ? given.join(" ") : null;
}
