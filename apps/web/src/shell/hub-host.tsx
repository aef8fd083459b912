import { Suspense } from "react";
import { useIsHub } from "../client/hub.ts";
import { lazyPart } from "../design/lazy-part.ts";
import { requestProjectShare, useProjectShareRequest } from "../hub/share-request.ts";
import { useIsShareable } from "../hub/use-is-shareable.ts";
import { withTexts } from "../i18n/locale.ts";
import { useListSearch } from "../list/use-list-search.ts";
import { useActions } from "../shortcuts/actions.ts";
import type { Action } from "../shortcuts/registry.ts";

const ShareProjectDialog = lazyPart(
  withTexts(() => import("../hub/share-project-dialog.tsx")),
  "ShareProjectDialog",
);

const NONE: readonly Action[] = [];

/** Shows the dialog that shares a project whenever it is asked for; nothing at home. */
export function HubHost() {
  const isHub = useIsHub();
  const requested = useProjectShareRequest();
  const { project = null } = useListSearch();
  const isShareable = useIsShareable(project);
  useActions(
    isShareable
      ? [{ id: "hub.share", title: "rail.share_project", group: "list", run: () => requestProjectShare(project) }]
      : NONE,
  );
  if (!isHub || requested === null) return null;
  return (
    <Suspense>
      <ShareProjectDialog project={requested} onClose={() => requestProjectShare(null)} />
    </Suspense>
  );
}
