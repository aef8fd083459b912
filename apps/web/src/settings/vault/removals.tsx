import { DEFAULT_VAULT_SETTINGS } from "@sm/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { commandQuery } from "../../client/commands.ts";
import { useService } from "../../client/service-context.tsx";
import { formatBytes } from "../../i18n/format.ts";
import { t } from "../../i18n/text.ts";
import type { Draft } from "../server/server-fields.ts";

/** Tells what the limits of a form would remove from the vault as soon as they are saved. */
export function Removals({ draft }: { draft: Draft }) {
  const limits = {
    max_bytes: numberIn(draft, "vault.max_bytes"),
    deleted_days: numberIn(draft, "vault.deleted_days") ?? DEFAULT_VAULT_SETTINGS.deletedDays,
    replaced_days: numberIn(draft, "vault.replaced_days") ?? DEFAULT_VAULT_SETTINGS.replacedDays,
  };
  // What cannot be saved is refused here, too, and removes nothing.
  const { data } = useQuery({
    ...commandQuery(useService(), "preview_vault_limits", limits),
    placeholderData: keepPreviousData,
    retry: false,
  });
  if (data === undefined || data.generations === 0) return null;
  const size = formatBytes(data.bytes);
  return (
    <span role="status" className="block text-warning">
      {data.sessions > 0
        ? t("vault.removes", { count: data.sessions, size })
        : t("vault.removes_earlier", { count: data.generations, size })}
    </span>
  );
}

/** `null` for an empty field. */
function numberIn(draft: Draft, name: string): number | null {
  const text = draft[name]?.trim() ?? "";
  return text === "" ? null : Number(text);
}
