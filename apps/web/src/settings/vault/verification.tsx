import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { ShieldCheck } from "lucide-react";
import { commandKey } from "../../client/commands.ts";
import { VAULT_VERIFICATION, type VaultProgress } from "../../client/event-cache.ts";
import { useService } from "../../client/service-context.tsx";
import { Button } from "../../design/button.tsx";
import { Line, Lines } from "../../design/lines.tsx";
import { toastError } from "../../design/toast.tsx";
import { formatPercent } from "../../i18n/format.ts";
import { t } from "../../i18n/text.ts";
import { PathText } from "../section-parts.tsx";

/** Reading all of a vault takes as long as it is large. */
const DAY_MS = 86_400_000;

/** Verifies the vault, and tells how far that is, also where another client has started it. */
export function Verification() {
  const service = useService();
  const queries = useQueryClient();
  const { data: progress = null } = useQuery<VaultProgress | null>({
    queryKey: VAULT_VERIFICATION,
    queryFn: () => null,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const verify = useMutation({
    mutationFn: () => service.call("verify_vault", {}, { timeoutMs: DAY_MS }),
    onSuccess: () => queries.invalidateQueries({ queryKey: commandKey("get_vault_status") }),
    onError: (error) => toastError(t("vault.verify_failed"), error),
  });
  const isRunning = verify.isPending || progress?.done === false;
  const percent =
    progress === null || progress.done || progress.total === 0 ? 0 : (100 * progress.checked) / progress.total;
  return (
    <div className="flex flex-col items-start gap-3 pt-4">
      <div className="flex items-center gap-3">
        <Button icon={ShieldCheck} disabled={isRunning} onClick={() => verify.mutate()}>
          {t("vault.verify")}
        </Button>
        <p role="status" className="text-muted text-sm tabular-nums">
          {isRunning
            ? t("vault.verifying", { percent: formatPercent(Math.floor(percent)) })
            : verify.data?.damaged.length === 0 && t("vault.verified", { count: verify.data.checked })}
        </p>
      </div>
      {!isRunning && verify.data !== undefined && verify.data.damaged.length > 0 && (
        <Lines label={t("vault.damaged", { count: verify.data.damaged.length })}>
          {verify.data.damaged.map(({ path, is_repaired }) => (
            <Line key={path}>
              <span className="min-w-0 flex-1">
                <PathText>{path}</PathText>
              </span>
              <span className={is_repaired ? "text-muted text-sm" : "text-danger text-sm"}>
                {t(is_repaired ? "vault.repaired" : "vault.lost")}
              </span>
            </Line>
          ))}
        </Lines>
      )}
    </div>
  );
}
