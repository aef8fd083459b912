import { Suspense } from "react";
import { lazyPart } from "../design/lazy-part.ts";
import { withTexts } from "../i18n/locale.ts";
import { requestExport, useExportRequest } from "./export-request.ts";
import { useExportActions } from "./use-export-actions.ts";

const RequestedDialog = lazyPart(
  withTexts(() => import("./requested-dialog.tsx")),
  "RequestedDialog",
);
const HandOverDialog = lazyPart(
  withTexts(() => import("./hand-over-dialog.tsx")),
  "HandOverDialog",
);

/** Shows the dialog for exports, links or handing over whenever it is asked for. */
export function ExportHost() {
  const request = useExportRequest();
  useExportActions();
  const Asked = request?.isHandOver ? HandOverDialog : RequestedDialog;
  return <Suspense>{request !== null && <Asked request={request} onClose={() => requestExport(null)} />}</Suspense>;
}
