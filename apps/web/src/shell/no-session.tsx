import { Inbox } from "lucide-react";
import { Suspense } from "react";
import { useIsPhone } from "../browser/use-matches.ts";
import { useIsLibraryEmpty, useSessions } from "../client/service-context.tsx";
import { Keys } from "../design/keys.tsx";
import { lazyPart } from "../design/lazy-part.ts";
import { EmptyState } from "../design/placeholder.tsx";
import { withTexts } from "../i18n/locale.ts";
import { t } from "../i18n/text.ts";

const Home = lazyPart(
  withTexts(() => import("../home/home.tsx")),
  "Home",
);

const OF_LIST = [
  ["arrowdown", "list.hint_move"],
  ["/", "list.hint_search"],
] as const;
const OF_ALL = [
  ["mod+k", "list.hint_palette"],
  ["?", "list.hint_shortcuts"],
] as const;

/** Beside the list while no session is open. */
export function NoSession() {
  // Without sessions there is nothing to move in, nor to search.
  const isEmpty = useIsLibraryEmpty();
  const isListed = useSessions().state !== "loading";
  // There the list takes the place of this.
  const isPhone = useIsPhone();
  return (
    <main id="content" tabIndex={-1} className="flex min-w-0 flex-1 flex-col overflow-y-auto bg-paper phone:hidden">
      {isEmpty ? (
        <EmptyState icon={Inbox} title={t("list.nothing_yet")} />
      ) : (
        // The list comes first.
        <Suspense>{isListed && !isPhone && <Home />}</Suspense>
      )}
      <dl className="mt-auto flex flex-wrap justify-center gap-x-6 gap-y-2 px-6 py-4 text-xs touch:hidden">
        {[...(isEmpty ? [] : OF_LIST), ...OF_ALL].map(([keys, text]) => (
          <div key={keys} className="flex items-center gap-2">
            <dt>
              <Keys keys={keys} />
            </dt>
            <dd className="text-muted">{t(text)}</dd>
          </div>
        ))}
      </dl>
    </main>
  );
}
