import type { VaultService } from "@sm/core";
import type { EventBus } from "@sm/router/events";

const INTERVAL_MS = 250;

/** The vault, whose verifications tell subscribers their progress: at most one event every 250 ms, and one at the end. */
export function publishedVault(vault: VaultService, bus: Pick<EventBus, "publish">): VaultService {
  return {
    status: () => vault.status(),
    previewLimits: (limits) => vault.previewLimits(limits),
    generations: (path) => vault.generations(path),
    restore: (options) => vault.restore(options),
    forget: (path) => vault.forget(path),
    deleted: () => vault.deleted(),
    undelete: (path) => vault.undelete(path),
    exportTo: (directory) => vault.exportTo(directory),
    importFrom: (directory) => vault.importFrom(directory),

    async verify(onProgress, signal) {
      let latest = { checked: 0, total: 0 };
      let toldAt = Number.NEGATIVE_INFINITY;
      let damaged: number | null = null;
      const tell = (checked: number, total: number) => {
        latest = { checked, total };
        onProgress?.(checked, total);
        if (performance.now() - toldAt < INTERVAL_MS) return;
        toldAt = performance.now();
        bus.publish("vault-verification", { ...latest, done: false, damaged: null });
      };
      try {
        const verification = await vault.verify(tell, signal);
        damaged = verification.damaged.length;
        return verification;
      } finally {
        bus.publish("vault-verification", { ...latest, done: true, damaged });
      }
    },
  };
}
