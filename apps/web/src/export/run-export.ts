import type { TruncatedEntry } from "@sm/core";
import { visibleCode } from "@sm/core/rendering";
import type { SessionRecord } from "@sm/router/client";
import { download } from "../client/download.ts";
import type { Service } from "../client/service.ts";
import { toast } from "../design/toast.tsx";
import { isDesktop } from "../desktop/desktop.ts";
import { t } from "../i18n/text.ts";
import { archiveManner, type ExportOptions, exportAddress } from "./export-options.ts";

/** Loaded in the desktop application alone. */
const desktopExports = () => import("../desktop/exports.ts");

/**
 * Saves one session as a file, or several as a zip, and tells so: when it is saved in the desktop application, when the
 * download has begun in a browser. With `isArchive` one session is a zip as well. Resolves with `false` where the user saves nothing.
 */
export async function saveExport(
  service: Service,
  paths: readonly string[],
  options: ExportOptions,
  leafId: string | null,
  isArchive = false,
): Promise<boolean> {
  const [only] = paths;
  const address =
    paths.length === 1 && only !== undefined && !isArchive
      ? exportAddress(only, options, leafId)
      : (await service.call("export_sessions", { paths: [...paths], ...archiveManner(options) })).url;
  return save(service, address);
}

/** Saves one entry as it is stored, however large it is; else as `saveExport`. */
export function saveEntry(service: Service, path: string, { offset, size_bytes }: TruncatedEntry): Promise<boolean> {
  const bytes = { offset: String(offset), length: String(size_bytes) };
  return save(service, `/api/export?${new URLSearchParams({ path, format: "jsonl", ...bytes })}`);
}

async function save(service: Service, address: string): Promise<boolean> {
  if (isDesktop) return (await desktopExports()).saveWithDialog(service, address);
  await download(service, address);
  toast({ text: t("export.begun") });
  return true;
}

/**
 * Shows a session as a page in a new tab; from the desktop application in the user's browser. Has to be called while a
 * key or button is being dealt with: browsers open no other tabs.
 */
export async function openExport(
  service: Service,
  { path, title }: Pick<SessionRecord, "path" | "title">,
  options: ExportOptions,
  leafId: string | null,
): Promise<void> {
  const address = exportAddress(path, { ...options, format: "html" }, leafId);
  if (isDesktop) {
    const { saveWithDialog, showInBrowser } = await desktopExports();
    if (service.token() === null) return showInBrowser(address);
    // The browser would keep the token in the address of the page.
    await saveWithDialog(service, address);
    return;
  }
  const tab = window.open("", "_blank");
  if (tab === null) throw new Error(t("export.blocked"));
  const { showExportedPage } = await import("./exported-page.ts");
  return showExportedPage(tab, service, address, visibleCode(title));
}
