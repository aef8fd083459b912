import { fileNameIn } from "../client/download.ts";
import type { Service } from "../client/service.ts";
import { toast } from "../design/toast.tsx";
import { t } from "../i18n/text.ts";
import { loadDesktop } from "./desktop.ts";
import { reveal } from "./reveal.ts";

/**
 * Saves an export where the user wants it; tells whether they did.
 *
 * @param address of the service, from `/api/export?` on.
 */
export async function saveWithDialog(service: Pick<Service, "token">, address: string): Promise<boolean> {
  const token = service.token();
  // Asks for the name alone, which uses no ticket up.
  const { ok, status, headers } = await fetch(address, {
    method: "HEAD",
    ...(token !== null && { headers: { Authorization: `Bearer ${token}` } }),
  });
  if (!ok) throw new Error(`HTTP ${status}`);
  const desktop = await loadDesktop();
  const path = await desktop.saveExport(address, fileNameIn(headers.get("Content-Disposition")));
  if (path === null) return false;
  toast({
    text: t("desktop.saved", { path }),
    lastsMs: 10_000,
    action: { text: t("desktop.reveal"), run: () => void reveal(path) },
  });
  return true;
}

/** Shows an exported page in the user's browser. */
export async function showInBrowser(address: string): Promise<void> {
  const desktop = await loadDesktop();
  await desktop.openInBrowser(`${location.origin}${address}&disposition=inline`);
}
