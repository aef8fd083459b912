import type { Service } from "../client/service.ts";
import { fetchExport } from "./fetch-export.ts";

/**
 * Sandbox of an exported page: allows its own script, identified by its hash in the page's policy, and links. It has no
 * origin, and so no access to this page's storage, token and requests.
 */
export const EXPORTED_PAGE_SANDBOX = "allow-scripts allow-popups allow-popups-to-escape-sandbox";

/** How the export writes the links that lead out of it. In texts of the session a quote is never one. */
const OUTWARD_LINK = ' rel="noopener noreferrer nofollow"';

/** Makes the address of an exported page for a frame. Its links open beside it: the frame can go nowhere else. */
export function exportedPageUrl(html: string): string {
  const page = html.replaceAll(OUTWARD_LINK, `${OUTWARD_LINK} target="_blank"`);
  return URL.createObjectURL(new Blob([page], { type: "text/html" }));
}

/** Shows an exported page in a tab, which is closed if there is none. Rejects as `fetchExport`. */
export async function showExportedPage(tab: Window, service: Service, address: string, title: string): Promise<void> {
  const { document } = tab;
  document.title = title;
  try {
    const html = await (await fetchExport(service, address)).text();
    if (tab.closed) return;
    const frame = document.createElement("iframe");
    const url = exportedPageUrl(html);
    frame.setAttribute("sandbox", EXPORTED_PAGE_SANDBOX);
    frame.title = title;
    frame.style.cssText = "position: fixed; inset: 0; width: 100%; height: 100%; border: 0";
    frame.src = url;
    frame.addEventListener("load", () => {
      URL.revokeObjectURL(url);
      frame.focus();
    });
    document.body.append(frame);
  } catch (error) {
    tab.close();
    throw error;
  }
}
