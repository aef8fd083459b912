import { lazy, Suspense } from "react";
import { requestExport, useExportRequest } from "./export-request.ts";
import { useExportActions } from "./use-export-actions.ts";

const ExportDialog = lazy(() => import("./export-dialog.tsx").then(({ ExportDialog }) => ({ default: ExportDialog })));

/** Shows the export dialog whenever it is asked for; it is loaded then. */
export function ExportHost() {
  const request = useExportRequest();
  useExportActions();
  return (
    <Suspense>{request !== null && <ExportDialog request={request} onClose={() => requestExport(null)} />}</Suspense>
  );
}
