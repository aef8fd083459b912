import { isJsonObject, type JsonObject, type JsonValue } from "../../json.ts";

/** A replaced text and its replacement. */
export interface Edit {
  before: string;
  after: string;
}

/** Arguments of a tool call by meaning: agents use different names. */
export interface ToolArguments {
  path: string | null;
  /** Line range, such as `10–59`. */
  lines: string | null;
  command: string | null;
  edits: Edit[];
  patch: string | null;
  content: string | null;
  /** The search text or question, with its name. */
  query: { name: string; text: string } | null;
  /** All other arguments. */
  rest: [string, JsonValue][];
}

const PATHS = ["path", "file_path", "filePath", "filepath", "file", "filename", "notebook_path", "target_file"];
const COMMANDS = ["command", "cmd", "script"];
const CONTENTS = ["content", "contents", "file_text", "new_source"];
const QUERIES = ["pattern", "query", "url", "glob_pattern", "regex", "search_term"];
/** Names of a tool's only text argument. */
const REQUESTS = ["description", "task", "prompt", "question", "title", "name"];
const BEFORE = ["oldText", "old_string", "oldString", "old_str"];
const AFTER = ["newText", "new_string", "newString", "new_str"];
const PATCHES = ["patch", "diff", "input"];

/** Beginnings of patches of `diff`, git, and the tool `apply_patch`. */
const PATCH = /^(?:\*\*\* Begin Patch|diff --git |--- |Index: )/;

/** Classifies the arguments of a call. Each is used exactly once. */
export function toolArguments(values: JsonObject): ToolArguments {
  const rest = new Map<string, JsonValue>();
  for (const [key, value] of Object.entries(values)) if (value !== undefined) rest.set(key, value);

  const named = (names: string[], accepts = (_: string) => true): ToolArguments["query"] => {
    for (const name of names) {
      const value = rest.get(name);
      const text = names === COMMANDS ? commandText(value) : value;
      if (typeof text !== "string" || !accepts(text)) continue;
      rest.delete(name);
      return { name, text };
    }
    return null;
  };
  const text = (names: string[], accepts?: (text: string) => boolean) => named(names, accepts)?.text ?? null;

  const path = text(PATHS, (value) => value !== "" && !value.includes("\n"));
  const command = text(COMMANDS, (value) => value !== "");
  const edits = editsOf(rest);
  const patch = text(PATCHES, (value) => PATCH.test(value));
  return {
    path,
    lines: path === null ? null : linesOf(rest),
    command,
    edits,
    patch,
    content: path === null ? null : text(CONTENTS),
    query:
      command === null ? named(path === null ? [...QUERIES, ...REQUESTS] : QUERIES, (value) => value !== "") : null,
    rest: [...rest],
  };
}

/** Some agents pass a command as a list of words. */
function commandText(value: JsonValue | undefined): JsonValue | undefined {
  return Array.isArray(value) && value.every((word) => typeof word === "string") ? value.join(" ") : value;
}

function editsOf(rest: Map<string, JsonValue>): Edit[] {
  const listed = rest.get("edits");
  if (Array.isArray(listed)) {
    const edits = listed.map((edit) => (isJsonObject(edit) ? wholeEdit(edit) : null));
    if (edits.length > 0 && edits.every((edit) => edit !== null)) {
      rest.delete("edits");
      return edits;
    }
  }
  const single = editOf([...rest]);
  if (single === null) return [];
  for (const key of single.keys) rest.delete(key);
  return [single.edit];
}

/** `null` if it has fields that an edit does not show. */
function wholeEdit(value: JsonObject): Edit | null {
  const entries = Object.entries(value);
  const found = editOf(entries);
  return found !== null && found.keys.length === entries.length ? found.edit : null;
}

/** An edit without the new text is a deletion, one without the old text an insertion. */
function editOf(entries: [string, JsonValue | undefined][]): { edit: Edit; keys: string[] } | null {
  const find = (names: string[]) =>
    entries.find((entry): entry is [string, string] => names.includes(entry[0]) && typeof entry[1] === "string");
  const before = find(BEFORE);
  const after = find(AFTER);
  const found = [before, after].filter((entry) => entry !== undefined);
  if (found.length === 0) return null;
  return { edit: { before: before?.[1] ?? "", after: after?.[1] ?? "" }, keys: found.map(([key]) => key) };
}

function linesOf(rest: Map<string, JsonValue>): string | null {
  const offset = rest.get("offset");
  const limit = rest.get("limit");
  if (typeof offset !== "number" && typeof limit !== "number") return null;
  if (!isCount(offset ?? 1) || !isCount(limit ?? 1)) return null;
  rest.delete("offset");
  rest.delete("limit");
  const first = Number(offset ?? 1);
  return limit === undefined ? `${first}–` : `${first}–${first + Number(limit) - 1}`;
}

function isCount(value: JsonValue): boolean {
  return typeof value === "number" && Number.isInteger(value) && value >= 0;
}
