import type { ExportStream } from "@sm/core";

/** Names the headers of a download. */
export function downloadHeaders(download: Pick<ExportStream, "file_name" | "media_type">): Record<string, string> {
  return {
    "Content-Type": download.media_type,
    "Content-Disposition": contentDisposition(download.file_name),
  };
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
