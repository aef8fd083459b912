import { wordsIn } from "@sm/core";
import { createPreference } from "../browser/preference.ts";

export const EXPORT_FORMATS = ["html", "markdown", "json", "jsonl"] as const;
export const EXPORT_THEMES = ["system", "light", "dark"] as const;

export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** How sessions are exported. */
export interface ExportOptions {
  format: ExportFormat;
  thinking: boolean;
  tools: boolean;
  redact: boolean;
  /** What is replaced besides secrets, as typed: see `wordsIn`. */
  words: string;
  /** Whether the notes and bookmarks of the user go along. */
  notes: boolean;
  /** Whether the sessions of subagents go along. */
  subagents: boolean;
  /** Of a web page. */
  theme: (typeof EXPORT_THEMES)[number];
}

const USUAL: ExportOptions = {
  format: "html",
  thinking: true,
  tools: true,
  redact: false,
  words: "",
  notes: false,
  subagents: false,
  theme: "system",
};

/** How sessions were exported last. */
export const exportOptions = createPreference<ExportOptions>("export", USUAL, readOptions);

/** Makes options of what was stored; what is missing or wrong has its usual value. */
export function readOptions(stored: unknown): ExportOptions {
  if (typeof stored !== "object" || stored === null) return USUAL;
  const { format, thinking, tools, redact, words, notes, subagents, theme } = stored as Partial<
    Record<keyof ExportOptions, unknown>
  >;
  return {
    format: EXPORT_FORMATS.find((one) => one === format) ?? USUAL.format,
    thinking: thinking !== false,
    tools: tools !== false,
    redact: redact === true,
    words: typeof words === "string" ? words : USUAL.words,
    notes: notes === true,
    subagents: subagents === true,
    theme: EXPORT_THEMES.find((one) => one === theme) ?? USUAL.theme,
  };
}

/** The words to replace besides secrets. Those that cannot be used go along, too: the service must not export without them. */
export function redactedWords({ words: typed }: Pick<ExportOptions, "words">): { redact_words?: string[] } {
  const words = wordsIn(typed);
  return words.length === 0 ? {} : { redact_words: words };
}

/** Export options for the service besides the sessions. The file itself is exported unchanged. */
function exportManner({ format, thinking, tools, redact, words, notes, subagents, theme }: ExportOptions) {
  if (format === "jsonl") return { format };
  return {
    format,
    ...(!thinking && { include_thinking: false }),
    ...(!tools && { include_tools: false }),
    ...(redact && { redact, ...redactedWords({ words }) }),
    ...(notes && { include_notes: true }),
    ...(subagents && { include_subagents: true }),
    ...(format === "html" && theme !== "system" && { theme }),
  };
}

/** Export options for an archive, besides the sessions: the files of subagents can be in it, too. */
export function archiveManner(options: ExportOptions) {
  return { ...exportManner(options), ...(options.subagents && { include_subagents: true }) };
}

/** The address of the export of one session. */
export function exportAddress(path: string, options: ExportOptions, leafId: string | null): string {
  const query = new URLSearchParams({ path });
  for (const [name, value] of Object.entries(exportManner(options))) {
    for (const one of Array.isArray(value) ? value : [value]) query.append(name, String(one));
  }
  if (leafId !== null && options.format !== "jsonl") query.set("leaf_id", leafId);
  return `/api/export?${query}`;
}
