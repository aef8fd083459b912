import type { VaultSettings } from "@sm/core";
import type { Config } from "./config.ts";

/** What the configuration says of the vault, as the library takes it. */
export function vaultSettings({ vault }: Pick<Config, "vault">): VaultSettings {
  return {
    enabled: vault.enabled,
    excludedFormats: vault.exclude_formats,
    excludedProjects: vault.exclude_projects,
    maxBytes: vault.max_bytes,
    deletedDays: vault.deleted_days,
    replacedDays: vault.replaced_days,
  };
}
