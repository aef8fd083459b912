import type { ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import type { ExportStream } from "@sm/core";
import type { DispatchLog } from "@sm/router";

/** Names the headers of a download. */
export function downloadHeaders(download: ExportStream): Record<string, string> {
  return {
    "Content-Type": download.media_type,
    "Content-Disposition": contentDisposition(download.file_name),
  };
}

/**
 * Writes a download straight to the socket, as fast as the client reads. If it breaks off, the connection is
 * destroyed, so that what the client has does not look complete.
 */
export async function sendDownload(download: ExportStream, outgoing: ServerResponse, log: DispatchLog): Promise<void> {
  try {
    await pipeline(download.chunks, outgoing);
  } catch (error) {
    const clientLeft = error instanceof Error && "code" in error && error.code === "ERR_STREAM_PREMATURE_CLOSE";
    if (!clientLeft) log.error({ err: error, file_name: download.file_name }, "A download broke off.");
  }
}

/** Names a file as RFC 6266 wants it: in ASCII for old clients, and in UTF-8 (RFC 5987). */
export function contentDisposition(fileName: string): string {
  const name = fileName.replace(/\p{Control}|\p{Surrogate}/gu, "_");
  const ascii = name.replace(/[^\x20-\x7e]|["\\%]/gu, "_");
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}
