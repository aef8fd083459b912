import { Suspense } from "react";
import { lazyPart } from "../design/lazy-part.ts";
import { withTexts } from "../i18n/locale.ts";
import type { Deletion } from "./use-deletion.ts";

const DeleteDialog = lazyPart(
  withTexts(() => import("./delete-dialog.tsx")),
  "DeleteDialog",
);

/** Asks before a deletion whenever that is needed. */
export function DeleteHost({ deletion }: { deletion: Deletion }) {
  return <Suspense>{deletion.asked !== null && <DeleteDialog deletion={deletion} />}</Suspense>;
}
