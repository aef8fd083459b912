import type { JsonObject, JsonValue } from "../json.ts";

/** What the last word of a key is whose value is a path. */
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
/** One word with a folder or an extension in it, and no address of the web. */
const PATH_LIKE = /^(?!\w+:\/\/)(?:\S*[/\\]\S*|[^\s.]\S*\.[A-Za-z]\w{0,7}|\.[A-Za-z][\w.-]*)$/;

const MOST_PATHS = 32;
/** No file system has longer ones. */
const LONGEST_PATH = 4096;
/** A word under any other key: longer ones are data. */
const LONGEST_WORD = 256;
/** Values that are looked at: a call may carry a whole document. */
const MOST_VALUES = 1024;
const DEEPEST = 50;

/**
 * Finds the paths in the arguments of a tool call: what stands under a key that names one (`file_path`, `cwd`), and
 * words that look like one. Each once, in order, at most {@link MOST_PATHS}.
 */
export function argumentPaths(callArguments: JsonObject): string[] {
  const paths = new Set<string>();
  let values = 0;
  const visit = (value: JsonValue | undefined, isNamed: boolean, depth: number): void => {
    if (++values > MOST_VALUES || paths.size === MOST_PATHS || depth === DEEPEST) return;
    if (typeof value === "string") {
      if (isNamed ? isPath(value) : isPathLike(value)) paths.add(value);
    } else if (Array.isArray(value)) {
      for (const inner of value) visit(inner, isNamed, depth + 1);
    } else if (typeof value === "object" && value !== null) {
      for (const [key, inner] of Object.entries(value)) visit(inner, namesPath(key), depth + 1);
    }
  };
  visit(callArguments, false, 0);
  return [...paths];
}

function namesPath(key: string): boolean {
  // Longer keys are no names, and the search for their last word would not be cheap.
  const word = key.length > 64 ? undefined : LAST_WORD.exec(key)?.[0];
  return word !== undefined && PATH_WORDS.has(word.toLowerCase());
}

function isPath(text: string): boolean {
  return text !== "" && text.length <= LONGEST_PATH && !text.includes("\n");
}

function isPathLike(text: string): boolean {
  return text.length <= LONGEST_WORD && PATH_LIKE.test(text);
}
