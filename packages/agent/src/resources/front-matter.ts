import { isJsonObject, type JsonObject } from "@sm/core";

/** Metadata of a file, and the text below it. */
export interface FrontMatter {
  fields: JsonObject;
  body: string;
  /** Why the fields are invalid, `null` if they are valid. */
  problem: string | null;
}

/** Longer front matter is ignored; the agent's longest field has 1,024 characters. */
const LONGEST = 32 * 1024;
/** Limit of YAML aliases: without it, a few lines can expand to gigabytes. */
const MAX_ALIASES = 20;

/** Parses the YAML between two `---` lines at the beginning of a text, without language-specific types. */
export async function readFrontMatter(text: string): Promise<FrontMatter> {
  const normalized = text.replace(/^\ufeff/, "").replace(/\r\n?/g, "\n");
  // As in the agent: the second mark need only start a line.
  const end = normalized.startsWith("---") ? normalized.indexOf("\n---", 3) : -1;
  if (end === -1) return { fields: {}, body: normalized, problem: null };
  const yaml = normalized.slice(4, end);
  const body = normalized.slice(end + 4).trim();
  if (yaml.length > LONGEST) return { fields: {}, body, problem: "The front matter is longer than 32 KiB." };
  try {
    const fields: unknown = readPlainFields(yaml) ?? (await parseYaml(yaml));
    if (fields === null || fields === undefined) return { fields: {}, body, problem: null };
    if (isJsonObject(fields)) return { fields, body, problem: null };
    return { fields: {}, body, problem: "Front matter must be a mapping." };
  } catch (error) {
    const [reason] = error instanceof Error ? error.message.split("\n", 1) : [];
    return { fields: {}, body, problem: `Invalid YAML in the front matter: ${reason?.replace(/:$/, "")}.` };
  }
}

/** Parses YAML without language-specific types. Rejects for invalid YAML. */
export async function parseYaml(text: string): Promise<unknown> {
  // Loaded on demand: it takes 40 ms of CPU time.
  const { default: yaml } = await import("yaml");
  return yaml.parse(text, { maxAliasCount: MAX_ALIASES, schema: "core", logLevel: "error" });
}

const PLAIN_FIELD = /^([A-Za-z][\w-]*): ([A-Za-z](?:[\w ,.;()/'"+*=!?-]*[\w,.;()/'"+*=!?-])?)$/;
const NO_TEXT = /^(?:true|false|null)$/i;

/**
 * Fast path for simple front matter with one text per line, a hundred times as fast as the YAML parser, which dominates
 * the listing of hundreds of skills. `null` for anything else.
 */
export function readPlainFields(yaml: string): JsonObject | null {
  const fields = new Map<string, string>();
  for (const line of yaml.split("\n")) {
    if (line === "") continue;
    const [, key = "", value = ""] = PLAIN_FIELD.exec(line) ?? [];
    if (key === "" || fields.has(key) || NO_TEXT.test(key) || NO_TEXT.test(value)) return null;
    fields.set(key, value);
  }
  return fields.size === 0 ? null : Object.fromEntries(fields);
}
