import type { VaultService, VaultStatus } from "@sm/core";

/** Figures of the vault for those who must not wait for it. */
export interface VaultFigures {
  /** Known ones; asks for newer ones in the background. */
  problems(): readonly string[];
  /** Current ones, the known ones where the vault does not answer; `null` if there are none yet. */
  status(): Promise<VaultStatus | null>;
}

/** Age from which known figures are read again, in milliseconds. */
const MAX_AGE_MS = 5_000;

/** Reads the status of the vault at most once at a time, and every five seconds. */
export function vaultFigures(vault: Pick<VaultService, "status">, now = () => performance.now()): VaultFigures {
  let known: VaultStatus | null = null;
  let readAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | null = null;

  function read(): Promise<void> {
    if (now() - readAt < MAX_AGE_MS) return Promise.resolve();
    reading ??= vault
      .status()
      .then(
        (status) => {
          known = status;
        },
        // The library is perhaps being closed; its own log has the reason.
        () => undefined,
      )
      .finally(() => {
        readAt = now();
        reading = null;
      });
    return reading;
  }

  return {
    problems() {
      void read();
      return known?.problems ?? [];
    },
    async status() {
      await read();
      return known;
    },
  };
}
