import { agentName } from "@sm/core";
import type { CommandOutput, SessionRecord } from "@sm/router/client";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Clock, X } from "lucide-react";
import { createPreference, usePreference } from "../browser/preference.ts";
import { commandQuery } from "../client/commands.ts";
import { useService, useSessions } from "../client/service-context.tsx";
import { Button, IconButton } from "../design/button.tsx";
import { t } from "../i18n/text.ts";
import { useChangeListSearch, useListSearch } from "./use-list-search.ts";

const EXPIRING = "is:expiring";

/** The last time that the user has been told of. */
const toldUntil = createPreference<string>("expiry-told", "", (stored) => (typeof stored === "string" ? stored : ""));

/** Tells which sessions their agents will delete soon, and whether they stay in the vault. */
export function ExpiryNotice({ expiring }: { expiring: readonly SessionRecord[] }) {
  const service = useService();
  const { isPart } = useSessions();
  const change = useChangeListSearch();
  const isShown = useListSearch().q === EXPIRING;
  const told = usePreference(toldUntil);
  const { data: vault } = useQuery(commandQuery(service, "get_vault_status"));
  // The page may have the newest sessions only, which are the last ones to go.
  const all = useQuery({
    ...commandQuery(service, "list_sessions", { query: EXPIRING, limit: 1 }),
    enabled: isPart,
  });
  const last =
    expiring
      .map(({ expires_at }) => expires_at ?? "")
      .sort()
      .at(-1) ?? "";
  if (vault === undefined || last <= told) return null;
  const lost = expiring.filter((record) => !isKept(record, vault)).length;
  const agents = [...new Set(expiring.map(({ format }) => agentName(format)))].join(", ");
  const count = Math.max(expiring.length, all.data?.total ?? 0);
  return (
    <section
      aria-label={t("vault.expiring_title")}
      className="mx-3 mb-2 flex shrink-0 items-start gap-2 rounded-md bg-warning-soft py-1.5 pr-1 pl-2.5 text-sm"
    >
      <Clock aria-hidden size={16} strokeWidth={1.75} className="mt-1.5 shrink-0 text-warning" />
      <div className="min-w-0 flex-1 py-1">
        <p className="text-warning">{t("vault.expiring", { agents, count })}</p>
        <p className="text-muted text-xs">
          {lost === 0 ? t("vault.expiring_kept") : t("vault.expiring_lost", { count: lost })}
        </p>
        {(!isShown || lost > 0) && (
          <div className="flex gap-2 pt-1.5">
            {!isShown && (
              <Button size="sm" onClick={() => change({ q: EXPIRING })}>
                {t("vault.expiring_show")}
              </Button>
            )}
            {lost > 0 && (
              <Link to="/settings/$" params={{ _splat: "vault" }} className="self-center text-accent text-sm underline">
                {t("settings.vault")}
              </Link>
            )}
          </div>
        )}
      </div>
      <IconButton icon={X} size="sm" label={t("vault.expiring_dismiss")} onClick={() => toldUntil.set(last)} />
    </section>
  );
}

function isKept({ format, cwd }: SessionRecord, vault: CommandOutput<"get_vault_status">): boolean {
  const { enabled, problems, exclude_formats: formats, exclude_projects: projects } = vault;
  const isBelow = (directory: string) =>
    cwd === directory || cwd?.startsWith(`${directory}/`) === true || cwd?.startsWith(`${directory}\\`) === true;
  const isWorking = enabled && problems.length === 0;
  return isWorking && !formats.includes(format) && !projects.some(isBelow);
}
