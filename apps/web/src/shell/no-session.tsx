import { MessagesSquare } from "lucide-react";
import { Keys } from "../design/keys.tsx";
import { EmptyState } from "../design/placeholder.tsx";
import { t } from "../i18n/text.ts";

const HINTS = [
  ["arrowdown", "list.hint_move"],
  ["/", "list.hint_search"],
  ["mod+k", "list.hint_palette"],
  ["?", "list.hint_shortcuts"],
] as const;

/** Beside the list while no session is open. */
export function NoSession() {
  return (
    <main id="content" tabIndex={-1} className="min-w-0 flex-1 overflow-y-auto bg-paper phone:hidden">
      <EmptyState icon={MessagesSquare} title={t("list.none_open")}>
        <dl className="mt-2 grid grid-cols-[auto_auto] items-center gap-x-4 gap-y-2 text-left touch:hidden">
          {HINTS.map(([keys, text]) => (
            <div key={keys} className="contents">
              <dt className="justify-self-end">
                <Keys keys={keys} />
              </dt>
              <dd className="text-muted">{t(text)}</dd>
            </div>
          ))}
        </dl>
      </EmptyState>
    </main>
  );
}
