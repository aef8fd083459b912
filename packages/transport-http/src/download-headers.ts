import { EXPORT_POLICY } from "@sm/core";
import type { ExportDownload } from "@sm/router";

/**
 * Policy for an exported page shown inline: its own policy, plus a sandbox without an origin, because its content comes
 * from a session that may be someone else's. Scripts in it have no access to the service's storage and no valid origin
 * for requests.
 */
export const SHOWN_PAGE = {
  "Content-Security-Policy": `${EXPORT_POLICY}; frame-ancestors 'none'; sandbox allow-scripts allow-popups allow-popups-to-escape-sandbox`,
  "Referrer-Policy": "no-referrer",
  // Browsers show no sandboxed page with another value, and the sandbox isolates it already.
  // https://html.spec.whatwg.org/multipage/browsing-the-web.html#create-navigation-params-by-fetching
  "Cross-Origin-Opener-Policy": "unsafe-none",
};

/** Headers of an export, for saving or showing it. */
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

/** File name as in RFC 6266: ASCII for old clients, and UTF-8 (RFC 5987). */
export function contentDisposition(fileName: string, disposition: ExportDownload["disposition"]): string {
  const name = fileName.replace(/\p{Control}|\p{Surrogate}/gu, "_");
  const ascii = name.replace(/[^\x20-\x7e]|["\\%]/gu, "_");
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${disposition}; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}
