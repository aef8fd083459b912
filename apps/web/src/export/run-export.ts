import type { SessionRecord } from "@sm/router/client";
import { download } from "../client/download.ts";
import type { Service } from "../client/service.ts";
import { t } from "../i18n/text.ts";
import { type ExportOptions, exportAddress, exportManner } from "./export-options.ts";
import { openExportedPage } from "./exported-page.ts";

/** Has the browser save one session as a file, or several as a zip. Resolves when the download has begun. */
export async function saveExport(
  service: Service,
  paths: readonly string[],
  options: ExportOptions,
  leafId: string | null,
): Promise<void> {
  const [only] = paths;
  if (paths.length === 1 && only !== undefined) return download(service, exportAddress(only, options, leafId));
  const { url } = await service.call("export_sessions", { paths: [...paths], ...exportManner(options) });
  return download(service, url);
}

/** Shows a session as a page in a new tab. */
export function openExport(
  service: Service,
  { path, title }: Pick<SessionRecord, "path" | "title">,
  options: ExportOptions,
  leafId: string | null,
): Promise<void> {
  const address = exportAddress(path, { ...options, format: "html" }, leafId);
  return openExportedPage(service, address, { title, blocked: t("export.blocked") });
}
