import { Inbox } from "lucide-react";
import { useMayChange } from "../client/hub.ts";
import { EmptyState } from "../design/placeholder.tsx";
import { t } from "../i18n/text.ts";
import { JoinSteps } from "./join-steps.tsx";

/** Shown on a hub without any session: sessions come from machines, and from whoever shares some. */
export function HubFirstRun() {
  const maySend = useMayChange();
  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      <EmptyState icon={Inbox} title={t("list.empty")}>
        <p className="pb-5">{t(maySend ? "hub.empty_text" : "hub.empty_reader")}</p>
        {maySend && <JoinSteps />}
      </EmptyState>
    </div>
  );
}
