import type { CommandOutput } from "@sm/router/client";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { commandQuery } from "../../client/commands.ts";
import { useService } from "../../client/service-context.tsx";
import { Dialog } from "../../design/dialog.tsx";
import { ErrorState } from "../../design/error-state.tsx";
import { SkeletonLines } from "../../design/placeholder.tsx";
import { t } from "../../i18n/text.ts";
import { placeText } from "./json-pointer.ts";

export interface VersionDiffProps {
  from: string;
  to: string;
  /** Chooses what it is compared with. */
  choice: ReactNode;
  onClose(): void;
}

/** What differs between two configurations. */
export function VersionDiff({ from, to, choice, onClose }: VersionDiffProps) {
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => isOpen || onClose()}
      title={t("settings.version_changes")}
      description={t("settings.version_since")}
      size="lg"
    >
      <div className="flex flex-col gap-4">
        {choice}
        <Changes from={from} to={to} />
      </div>
    </Dialog>
  );
}

/** The differences alone. */
export function Changes({ from, to }: { from: string; to: string }) {
  const { data, error, refetch } = useQuery(commandQuery(useService(), "diff_config_versions", { from, to }));
  if (error !== null) {
    return <ErrorState title={t("settings.version_diff_failed")} error={error} onRetry={() => void refetch()} />;
  }
  if (data === undefined) return <SkeletonLines count={3} />;
  if (data.changes.length === 0) return <p className="text-muted text-sm">{t("settings.version_same")}</p>;
  return (
    <ul className="flex flex-col gap-3">
      {data.changes.map((change) => (
        <li key={`${change.kind} ${change.path}`} className="flex flex-col gap-1">
          <span className="text-ink text-sm [overflow-wrap:anywhere]">{placeText(change.path)}</span>
          <div className="overflow-hidden rounded-md font-mono text-xs">
            {change.kind !== "added" && <Value sign="−" value={change.from} className="bg-removed-soft text-removed" />}
            {change.kind !== "removed" && <Value sign="+" value={change.to} className="bg-added-soft text-added" />}
          </div>
        </li>
      ))}
    </ul>
  );
}

type Difference = CommandOutput<"diff_config_versions">["changes"][number];

function Value({ sign, value, className }: { sign: string; value: Difference["from"]; className: string }) {
  return (
    <pre className={`flex gap-2 whitespace-pre-wrap px-3 py-1.5 [overflow-wrap:anywhere] ${className}`}>
      <span className="select-none">{sign}</span>
      <code className="min-w-0 flex-1">{shortened(JSON.stringify(value, null, 2) ?? "")}</code>
    </pre>
  );
}

/** Whole model configurations may be megabytes. */
const MAX_CHARACTERS = 4_000;

function shortened(text: string): string {
  return text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)}…` : text;
}
