import { useOpenSession } from "../client/open-session.ts";
import { useService, useSessions } from "../client/service-context.tsx";
import { toast, toastError } from "../design/toast.tsx";
import { t } from "../i18n/text.ts";
import { useActions } from "../shortcuts/actions.ts";
import { exportAddress, exportOptions } from "./export-options.ts";
import { requestExport } from "./export-request.ts";
import { openExport, saveExport } from "./run-export.ts";

/** Exports the open session: immediately with the last options, or with the dialog. */
export function useExportActions(): void {
  const service = useService();
  const { records } = useSessions();
  const { path, leafId } = useOpenSession() ?? {};

  const exportNow = async (record: { path: string; title: string }) => {
    const options = exportOptions.get();
    try {
      if (options.format === "html") return await openExport(service, record, options, leafId ?? null);
      await saveExport(service, [record.path], options, leafId ?? null);
    } catch (error) {
      toastError(t("export.failed"), error);
    }
  };

  const print = async (record: { path: string; title: string }) => {
    toast({ text: t("export.printing") });
    try {
      const address = exportAddress(
        record.path,
        { ...exportOptions.get(), format: "html", theme: "light" },
        leafId ?? null,
      );
      const { printExport } = await import("./print-session.ts");
      await printExport(service, address, record.title);
    } catch (error) {
      toastError(t("export.failed"), error);
    }
  };

  const title = () => records.get(path ?? "")?.title ?? t("transcript.session");
  useActions(
    path === undefined
      ? []
      : [
          {
            id: "session.export",
            title: "export.now",
            group: "session",
            keys: "mod+e",
            inFields: true,
            run: () => void exportNow({ path, title: title() }),
          },
          {
            id: "session.export_as",
            title: "export.choose",
            group: "session",
            keys: "mod+shift+e",
            inFields: true,
            run: () => requestExport({ paths: [path], ...(leafId !== undefined && { leafId }) }),
          },
          {
            id: "session.print",
            title: "export.print",
            group: "session",
            keys: "mod+p",
            inFields: true,
            run: () => void print({ path, title: title() }),
          },
        ],
  );
}
