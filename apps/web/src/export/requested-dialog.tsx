import { ExportDialog } from "./export-dialog.tsx";
import type { ExportRequest } from "./export-request.ts";
import { ShareDialog } from "./share-dialog.tsx";

/** The dialog that was asked for: sessions are exported to a file, or one is shared under a link. */
export function RequestedDialog({ request, onClose }: { request: ExportRequest; onClose(): void }) {
  const [path] = request.paths;
  if (request.isShared !== true || path === undefined) return <ExportDialog request={request} onClose={onClose} />;
  return <ShareDialog path={path} leafId={request.leafId ?? null} onClose={onClose} />;
}
