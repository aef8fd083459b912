import type { JsonObject, JsonValue } from "../json.ts";

/** Last words of keys whose values are paths. */
const PATH_WORDS = new Set([
  "path",
  "paths",
  "file",
  "files",
  "filename",
  "filenames",
  "dir",
  "dirs",
  "directory",
  "directories",
  "folder",
  "folders",
  "cwd",
]);
/** The last word of a key such as `file_path`, `filePath` or `FILE-PATH`. */
const LAST_WORD = /(?:[A-Z]?[a-z]+|[A-Z]+)$/;
/** A word with a folder or an extension, but not a URL. */
const PATH_LIKE = /^(?!\w+:\/\/)(?:\S*[/\\]\S*|[^\s.]\S*\.[A-Za-z]\w{0,7}|\.[A-Za-z][\w.-]*)$/;

const MAX_PATHS = 32;
/** Maximum path length of file systems. */
const MAX_PATH_LENGTH = 4096;
/** Under other keys, longer words are data. */
const MAX_WORD_LENGTH = 256;
/** Maximum values inspected: a call may contain a whole document. */
const MAX_VALUES = 1024;
/** No tool nests its arguments deeper; limits recursion. */
export const DEEPEST_ARGUMENT = 50;
/** Maximum bytes of a UTF-16 unit in JSON: `\u0041`. */
const BYTES_OF_UNIT = 6;
const SPACE = 0x20;

/** Collects the paths in the arguments of a tool call: unique, in order, at most {@link MAX_PATHS}. */
export class ArgumentPaths {
  readonly #paths = new Set<string>();
  #values = 0;

  /** Whether to inspect a value, the arguments themselves first (`depth` 0); counts it. */
  takes(depth: number): boolean {
    return ++this.#values <= MAX_VALUES && this.#paths.size < MAX_PATHS && depth < DEEPEST_ARGUMENT;
  }

  /** @param isNamed whether the string is under a key that names a path; otherwise it must look like one. */
  add(text: string, isNamed: boolean): void {
    if (isNamed ? isPath(text) : isPathLike(text)) this.#paths.add(text);
  }

  list(): string[] {
    return [...this.#paths];
  }
}

/** Finds values under path keys (`file_path`, `cwd`), and words that look like paths. */
export function argumentPaths(callArguments: JsonObject): string[] {
  const paths = new ArgumentPaths();
  const visit = (value: JsonValue | undefined, isNamed: boolean, depth: number): void => {
    if (!paths.takes(depth)) return;
    if (typeof value === "string") paths.add(value, isNamed);
    else if (Array.isArray(value)) {
      for (const inner of value) visit(inner, isNamed, depth + 1);
    } else if (typeof value === "object" && value !== null) {
      for (const [key, inner] of Object.entries(value)) visit(inner, namesPath(key), depth + 1);
    }
  };
  visit(callArguments, false, 0);
  return paths.list();
}

/** Whether the value of a key is a path. */
export function namesPath(key: string): boolean {
  // Longer keys are not names, and matching them would be slow.
  const word = key.length > 64 ? undefined : LAST_WORD.exec(key)?.[0];
  return word !== undefined && PATH_WORDS.has(word.toLowerCase());
}

/** Whether a raw JSON string may be a path, to avoid decoding most strings. */
export function mayBePath(bytes: Uint8Array, start: number, end: number, isNamed: boolean): boolean {
  if (end - start > BYTES_OF_UNIT * (isNamed ? MAX_PATH_LENGTH : MAX_WORD_LENGTH)) return false;
  if (isNamed) return true;
  for (let at = start; at < end; at++) if (bytes[at] === SPACE) return false;
  return true;
}

function isPath(text: string): boolean {
  return text !== "" && text.length <= MAX_PATH_LENGTH && !text.includes("\n");
}

function isPathLike(text: string): boolean {
  return text.length <= MAX_WORD_LENGTH && PATH_LIKE.test(text);
}
