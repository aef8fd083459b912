import type { CommandOutput } from "@sm/router/client";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { KeyRound, Plus } from "lucide-react";
import { useState } from "react";
import { commandKey, commandQuery, useCommand } from "../../client/commands.ts";
import { useIsHub } from "../../client/hub.ts";
import { useService } from "../../client/service-context.tsx";
import { Button } from "../../design/button.tsx";
import { Chip } from "../../design/chip.tsx";
import { ConfirmDialog } from "../../design/confirm-dialog.tsx";
import { ErrorState } from "../../design/error-state.tsx";
import { Line, Lines } from "../../design/lines.tsx";
import { EmptyState, SkeletonLines } from "../../design/placeholder.tsx";
import { toast } from "../../design/toast.tsx";
import { ShareLinks } from "../../export/share-links.tsx";
import { formatRelative, formatWhen } from "../../i18n/format.ts";
import { t } from "../../i18n/text.ts";
import { NewKeyDialog } from "../../tokens/new-key-dialog.tsx";
import { SectionIntro, SettingsGroup } from "../section-parts.tsx";

type Token = CommandOutput<"list_tokens">[number];

/** The keys that programs and other devices use. */
export function KeysSection() {
  const queries = useQueryClient();
  const isHub = useIsHub();
  const { data, error, refetch } = useQuery(commandQuery(useService(), "list_tokens"));
  const [isMaking, setMaking] = useState(false);
  const [revoked, setRevoked] = useState<Token | null>(null);
  // No event tells of keys.
  const reload = () => void queries.invalidateQueries({ queryKey: commandKey("list_tokens") });
  const revoke = useCommand("revoke_token", {
    onSuccess() {
      setRevoked(null);
      reload();
      toast({ text: t("settings.key_revoked") });
    },
  });

  if (data === undefined) {
    if (error === null) return <SkeletonLines count={5} />;
    return <ErrorState title={t("settings.keys_failed")} error={error} onRetry={() => void refetch()} />;
  }
  const make = (
    <Button variant="primary" icon={Plus} onClick={() => setMaking(true)}>
      {t("settings.key_new")}
    </Button>
  );
  return (
    <>
      <SectionIntro actions={data.length > 0 && make}>{t("settings.keys_text")}</SectionIntro>
      {data.length === 0 ? (
        <EmptyState icon={KeyRound} title={t("settings.keys_none")} actions={make}>
          {t("settings.keys_none_text")}
        </EmptyState>
      ) : (
        <Lines label={t("settings.api_keys")}>
          {data.map((token) => (
            <KeyLine key={token.id} token={token} onRevoke={() => setRevoked(token)} />
          ))}
        </Lines>
      )}
      {!isHub && (
        <div className="pt-8">
          <SettingsGroup title={t("settings.shared_links")}>
            <ShareLinks />
          </SettingsGroup>
        </div>
      )}
      <NewKeyDialog open={isMaking} onClose={() => setMaking(false)} onMade={reload} />
      <ConfirmDialog
        open={revoked !== null}
        onClose={() => {
          setRevoked(null);
          revoke.reset();
        }}
        title={t("settings.key_revoke_title", { name: revoked?.name ?? "" })}
        action={t("settings.key_revoke")}
        isDangerous
        isPending={revoke.isPending}
        error={revoke.error}
        onConfirm={() => revoked !== null && revoke.mutate({ id: revoked.id })}
      >
        {t("settings.key_revoke_text")}
      </ConfirmDialog>
    </>
  );
}

function KeyLine({ token, onRevoke }: { token: Token; onRevoke(): void }) {
  const now = new Date();
  const isOver = token.expires_at !== null && new Date(token.expires_at) <= now;
  const used =
    token.last_used_at === null
      ? t("settings.key_unused")
      : t("settings.key_used", { when: formatRelative(token.last_used_at, now) });
  const end =
    token.expires_at === null
      ? t("settings.key_no_end")
      : isOver
        ? t("settings.key_over")
        : t("settings.key_until", { day: formatWhen(token.expires_at, now) });
  return (
    <Line>
      <div className="min-w-0 flex-1">
        <p className="flex items-center gap-2">
          <span className="truncate text-sm">{token.name}</span>
          <Chip tone={isOver ? "danger" : "plain"}>
            {token.scope === "read" ? t("settings.key_read") : t("settings.key_full")}
          </Chip>
        </p>
        <p className="text-faint text-xs">
          <span className="font-mono">sm_{token.hint}…</span>
          {` · ${used} · `}
          <span className={isOver ? "text-danger" : ""}>{end}</span>
        </p>
      </div>
      <Button size="sm" aria-label={t("settings.key_revoke_named", { name: token.name })} onClick={onRevoke}>
        {t("settings.key_revoke")}
      </Button>
    </Line>
  );
}
