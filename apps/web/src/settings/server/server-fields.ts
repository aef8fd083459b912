import type { PlainTextKey } from "../../i18n/text.ts";

/** How a field of `session-manager.json` is edited. */
export type FieldKind = "switch" | "number" | "text" | "list" | "choice";

export interface ServerField {
  /** As errors name it: `limits.body_bytes` is a field of the object `limits`. */
  name: string;
  kind: FieldKind;
  /** What holds where the file does not say. */
  usual: boolean | number | string | readonly string[] | null;
  /** Of the kind `choice`. */
  choices: readonly string[];
  title: PlainTextKey;
  hint: PlainTextKey;
}

export interface FieldGroup {
  title: PlainTextKey;
  fields: readonly ServerField[];
}

const LOG_LEVELS = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;

/** The fields that the service knows; `session_paths` has a page of its own. */
export const FIELD_GROUPS: readonly FieldGroup[] = [
  {
    title: "settings.server_network",
    fields: [
      field("http_enabled", "switch", true),
      field("http_port", "number", 52_131),
      field("bind_addr", "text", "127.0.0.1"),
      field("auth_enabled", "switch", true),
      field("local_users", "choice", "own", ["own", "all"]),
      field("local_token", "switch", false),
      field("socket_path", "text", null),
      field("allowed_hosts", "list", []),
      field("allowed_origins", "list", []),
      field("trusted_proxies", "list", ["127.0.0.1", "::1"]),
      { ...field("sharing", "switch", false), name: "sharing.enabled" },
    ],
  },
  {
    title: "settings.server_agent",
    fields: [
      field("agent_home", "text", null),
      field("agents_enabled", "switch", true),
      field("agent_command", "text", null),
      field("terminals_enabled", "switch", true),
      field("terminal_idle_minutes", "number", 30),
    ],
  },
  {
    title: "settings.server_limits",
    fields: [
      field("log_level", "choice", "info", LOG_LEVELS),
      limit("body_bytes", 8_388_608),
      limit("message_bytes", 8_388_608),
      limit("connections", 1_024),
      limit("address_connections", 128),
      limit("connection_commands", 256),
      limit("answer_bytes", 134_217_728),
      limit("waiting_commands", 256),
      limit("command_seconds", 120),
      limit("output_stall_seconds", 10),
      limit("wrong_tokens_per_minute", 10),
    ],
  },
];

/** The fields about the vault, which apply at once. */
export const VAULT_GROUPS: readonly FieldGroup[] = [
  {
    title: "vault.settings",
    fields: [
      inVault("enabled", "switch", true),
      inVault("exclude_formats", "list", []),
      inVault("exclude_projects", "list", []),
      inVault("max_bytes", "number", null),
      inVault("deleted_days", "number", 30),
      inVault("replaced_days", "number", 30),
    ],
  },
];

type HintKey = Extract<PlainTextKey, `settings.field_${string}_hint`>;
type FieldName = HintKey extends `settings.field_${infer Name}_hint` ? Name : never;

function field(
  name: FieldName,
  kind: FieldKind,
  usual: ServerField["usual"],
  choices: ServerField["choices"] = [],
): ServerField {
  return { name, kind, usual, choices, title: `settings.field_${name}`, hint: `settings.field_${name}_hint` };
}

function limit(name: FieldName, usual: number): ServerField {
  return { ...field(name, "number", usual), name: `limits.${name}` };
}

type VaultFieldName = FieldName extends infer Name ? (Name extends `vault_${infer Rest}` ? Rest : never) : never;

function inVault(name: VaultFieldName, kind: FieldKind, usual: ServerField["usual"]): ServerField {
  return { ...field(`vault_${name}`, kind, usual), name: `vault.${name}` };
}

/** Form input by field name: a switch is `true` or `false`, a list has one line per element. */
export type Draft = Readonly<Record<string, string>>;

type Fields = Readonly<Record<string, unknown>>;

const fieldsIn = (groups: readonly FieldGroup[]) => groups.flatMap(({ fields }) => fields);

/** What a form of these fields begins with. */
export function draftOf(server: Fields, groups: readonly FieldGroup[]): Draft {
  return Object.fromEntries(fieldsIn(groups).map(({ name, usual }) => [name, textOf(valueIn(server, name) ?? usual)]));
}

/**
 * Applies changes to the configuration. Unchanged and unknown fields are kept; an emptied field is removed, so that its
 * default applies.
 *
 * @param before the form's initial values.
 */
export function withDraft(
  server: Fields,
  before: Draft,
  draft: Draft,
  groups: readonly FieldGroup[],
): Record<string, unknown> {
  let changed: Record<string, unknown> = { ...server };
  for (const { name, kind } of fieldsIn(groups)) {
    const text = draft[name] ?? "";
    if (text !== before[name]) changed = withValue(changed, name.split("."), parsedValue(text, kind));
  }
  return changed;
}

export function isChanged(before: Draft, draft: Draft): boolean {
  return Object.keys(before).some((name) => before[name] !== draft[name]);
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return "";
  return Array.isArray(value) ? value.join("\n") : String(value);
}

/** Value for the file; `undefined`: omitted. An invalid number is sent as text, and the service rejects it. */
function parsedValue(text: string, kind: FieldKind): unknown {
  const trimmed = text.trim();
  switch (kind) {
    case "switch":
      return text === "true";
    case "list":
      return text
        .split("\n")
        .map((line) => line.trim())
        .filter((line) => line !== "");
    case "number":
      if (trimmed === "") return undefined;
      return Number.isNaN(Number(trimmed)) ? trimmed : Number(trimmed);
    case "text":
    case "choice":
      return trimmed === "" ? undefined : trimmed;
  }
}

function valueIn(fields: Fields, name: string): unknown {
  return name.split(".").reduce<unknown>((value, part) => fieldsOf(value)[part], fields);
}

function withValue(fields: Fields, [name = "", ...below]: readonly string[], value: unknown): Record<string, unknown> {
  const { [name]: before, ...others } = fields;
  const after = below.length === 0 ? value : withValue(fieldsOf(before), below, value);
  return after === undefined ? others : { ...others, [name]: after };
}

function fieldsOf(value: unknown): Fields {
  return typeof value === "object" && value !== null ? (value as Fields) : {};
}
