import { MonitorSmartphone } from "lucide-react";
import { machinesOf } from "../../client/machines.ts";
import { useSessions } from "../../client/service-context.tsx";
import { Line, Lines } from "../../design/lines.tsx";
import { EmptyState } from "../../design/placeholder.tsx";
import { JoinSteps } from "../../hub/join-steps.tsx";
import { formatMoment, formatRelative } from "../../i18n/format.ts";
import { t } from "../../i18n/text.ts";
import { SectionIntro, SettingsGroup } from "../section-parts.tsx";

/** The user's machines that send to the hub, and how another one begins to. */
export function MachinesSection() {
  const { records } = useSessions();
  const machines = machinesOf(records).filter(({ owner }) => owner === null);
  const now = new Date();
  return (
    <>
      <SectionIntro>{t("settings.machines_text")}</SectionIntro>
      {machines.length === 0 ? (
        <EmptyState icon={MonitorSmartphone} title={t("settings.machines_none")} />
      ) : (
        <div className="pb-8">
          <Lines label={t("settings.machines")}>
            {machines.map(({ name, sessions, modified }) => (
              <Line key={name}>
                <div className="min-w-0 flex-1">
                  <p className="truncate text-sm">{name}</p>
                  <p className="text-faint text-xs">
                    {t("list.count", { count: sessions })}
                    {" · "}
                    <span title={formatMoment(modified)}>
                      {t("settings.machine_last", { when: formatRelative(modified, now) })}
                    </span>
                  </p>
                </div>
              </Line>
            ))}
          </Lines>
        </div>
      )}
      <SettingsGroup title={t("settings.machine_add")}>
        <JoinSteps />
      </SettingsGroup>
    </>
  );
}
