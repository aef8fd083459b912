import { Link } from "@tanstack/react-router";
import { Clock } from "lucide-react";
import { t } from "../i18n/text.ts";
import { useExpiringSessions } from "../sessions/use-expiring.ts";
import { ContinueList } from "./continue-list.tsx";
import { RunningAgents } from "./running-agents.tsx";
import { Week } from "./week.tsx";

/** Beside the list while no session is open: where one was, what runs, what the week was like, and what goes soon. */
export function Home() {
  const expiring = useExpiringSessions().length;
  return (
    <div className="mx-auto flex w-full max-w-184 flex-col gap-8 px-6 pt-8 pb-10">
      <ContinueList />
      <RunningAgents />
      <Week />
      {expiring > 0 && (
        <Link
          to="/"
          search={{ q: "is:expiring" }}
          className="flex items-center gap-3 self-start rounded-md bg-warning-soft px-3 py-2 text-sm text-warning hover:underline touch:min-h-11"
        >
          <Clock aria-hidden size={16} strokeWidth={1.75} className="shrink-0" />
          {t("home.expiring", { count: expiring })}
        </Link>
      )}
    </div>
  );
}
