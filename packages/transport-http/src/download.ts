import { EXPORT_POLICY } from "@sm/core";
import type { ExportDownload } from "@sm/router";

/**
 * What an exported page may do where a browser shows it: what its own policy allows, which is part of what somebody
 * else's session was made into. In the sandbox its origin is none, so that whatever may run in it after all has no part
 * in this service: no storage, no requests that are taken for those of our page.
 */
const SHOWN_PAGE = {
  "Content-Security-Policy": `${EXPORT_POLICY}; frame-ancestors 'none'; sandbox allow-scripts allow-popups allow-popups-to-escape-sandbox`,
  "Referrer-Policy": "no-referrer",
};

/** Names the headers of an export, for saving or for showing it. */
export function downloadHeaders({
  file_name,
  media_type,
  disposition,
}: Omit<ExportDownload, "chunks">): Record<string, string> {
  return {
    "Content-Type": media_type,
    "Content-Disposition": contentDisposition(file_name, disposition),
    ...(disposition === "inline" && SHOWN_PAGE),
  };
}

/** Names a file as RFC 6266 wants it: in ASCII for old clients, and in UTF-8 (RFC 5987). */
export function contentDisposition(fileName: string, disposition: ExportDownload["disposition"]): string {
  const name = fileName.replace(/\p{Control}|\p{Surrogate}/gu, "_");
  const ascii = name.replace(/[^\x20-\x7e]|["\\%]/gu, "_");
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${disposition}; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}
