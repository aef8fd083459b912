import type { ExportStream, ExportStreamOptions, Requester } from "@sm/core";
import { downloadFields, downloadFormats, exportFields, invalidPayload, text, validate } from "@sm/core/input";
import { OPEN_SESSION_BYTES, PIECEWISE_BYTES } from "./answer-budget.ts";
import type { Caller } from "./caller.ts";
import * as v from "./schema/json.ts";

/** Who downloads: on a hub, the token says whose sessions are meant. */
export type Downloader = Requester & Partial<Pick<Caller, "tokenId">>;

/** Sources of downloads. */
export interface ExportSources {
  sessions: { exportStream(options: ExportStreamOptions, requester?: Downloader): Promise<ExportStream> };
  exportTickets: {
    look(ticket: string, requester?: Downloader): Promise<ExportStream>;
    redeem(ticket: string, requester?: Downloader): Promise<ExportStream>;
  };
}

/** A ticket replaces all other parameters. */
const ticketQuery = v.strictObject({ ticket: text(100) });

/** Only HTML may be shown inline, because it comes with a policy that isolates it; other formats are saved. */
const exportQuery = v.variant("disposition", [
  v.strictObject({
    ...downloadFields,
    format: v.picklist(downloadFormats),
    disposition: v.optional(v.literal("attachment"), "attachment"),
  }),
  v.strictObject({ ...exportFields, format: v.literal("html"), disposition: v.literal("inline") }),
]);

const FIGURES = new Set(["offset", "length"]);
const LISTS = new Set(["redact_words"]);
const SWITCHES = new Set(["include_thinking", "include_tools", "include_notes", "include_subagents", "redact"]);

/** The download, and whether to save or show it. */
export interface ExportDownload extends ExportStream {
  disposition: "attachment" | "inline";
}

/**
 * Opens the download of a `GET /api/export` query: one session, validated like the payload of `export_session`, or the
 * archive of a ticket of `export_sessions`, which this consumes.
 *
 * @throws AppError `INVALID_PAYLOAD`, `NOT_FOUND` for an invalid ticket, and errors of the library.
 */
export async function openExport(
  query: URLSearchParams,
  sources: ExportSources,
  requester: Downloader = {},
): Promise<ExportDownload> {
  const payload = payloadOf(query);
  if ("ticket" in payload) {
    const { ticket } = validate(ticketQuery, payload);
    return { ...(await sources.exportTickets.redeem(ticket, requester)), disposition: "attachment" };
  }
  const { disposition, ...options } = validate(exportQuery, payload);
  return { ...(await sources.sessions.exportStream(options, requester)), disposition };
}

/** Describes what `openExport` would open, without consuming a ticket. Rejects like `openExport`. */
export async function describeExport(
  query: URLSearchParams,
  sources: ExportSources,
  requester: Downloader = {},
): Promise<Omit<ExportDownload, "chunks">> {
  const payload = payloadOf(query);
  if ("ticket" in payload) {
    const { ticket } = validate(ticketQuery, payload);
    return { ...(await sources.exportTickets.look(ticket, requester)), disposition: "attachment" };
  }
  const stream = await openExport(query, sources, requester);
  await stream.chunks[Symbol.asyncIterator]().return?.();
  return stream;
}

/** The memory budget of a download, in bytes. */
export function downloadBytes(query: URLSearchParams): number {
  return query.get("format") === "jsonl" ? PIECEWISE_BYTES : OPEN_SESSION_BYTES;
}

function payloadOf(query: URLSearchParams): object {
  const payload = new Map<string, string | boolean | number | string[]>();
  for (const [name, value] of query) {
    if (LISTS.has(name)) {
      payload.set(name, query.getAll(name));
      continue;
    }
    if (payload.has(name)) throw invalidPayload([{ path: name, message: "Must be given only once." }]);
    if (SWITCHES.has(name)) payload.set(name, readSwitch(value) ?? value);
    else payload.set(name, FIGURES.has(name) && /^\d{1,16}$/.test(value) ? Number(value) : value);
  }
  // A credential, read by the transport.
  payload.delete("token");
  return Object.fromEntries(payload);
}

function readSwitch(value: string): boolean | null {
  if (value === "true") return true;
  return value === "false" ? false : null;
}
