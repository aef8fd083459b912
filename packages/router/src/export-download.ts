import type { ExportStream, SessionLibrary } from "@sm/core";
import * as v from "valibot";
import { exportFields, exportFormats, exportOptions } from "./commands/export.ts";
import { invalidPayload, validate } from "./validate.ts";

const exportQuery = v.strictObject({ ...exportFields, format: v.picklist([...exportFormats, "jsonl"]) });

const SWITCHES = new Set(["include_thinking", "include_tools", "redact"]);

/**
 * Opens the download that a query of `GET /api/export` asks for, checked as `export_session` checks its payload.
 *
 * @throws AppError `INVALID_PAYLOAD`, `UNAVAILABLE`, and what the library throws.
 */
export async function openExport(
  query: URLSearchParams,
  sessions: Pick<SessionLibrary, "exportStream">,
): Promise<ExportStream> {
  return sessions.exportStream(exportOptions(validate(exportQuery, payloadOf(query))));
}

function payloadOf(query: URLSearchParams): object {
  const payload = new Map<string, string | boolean>();
  for (const [name, value] of query) {
    if (payload.has(name)) throw invalidPayload([{ path: name, message: "Must be given once." }]);
    payload.set(name, SWITCHES.has(name) ? (readSwitch(value) ?? value) : value);
  }
  // A credential, read by the transport.
  payload.delete("token");
  return Object.fromEntries(payload);
}

function readSwitch(value: string): boolean | null {
  if (value === "true") return true;
  return value === "false" ? false : null;
}
