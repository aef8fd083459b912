import type { BatchAnswer, FrameWithBytes, SendingMachine } from "./batch.ts";

/** Takes what machines send. Implemented by hubs only. */
export interface HubService {
  /**
   * Takes a batch of one machine. What it has already is left out, so that a batch may come twice.
   *
   * @param tokenId of the user whose machine it is.
   * Rejects with AppError `UNAVAILABLE` where it cannot take anything now; frames before may have been taken.
   */
  receive(
    tokenId: string | null,
    batch: { machine: SendingMachine; frames: readonly FrameWithBytes[] },
  ): Promise<BatchAnswer>;
}

/** Names a session of a machine on its hub. */
export function hubPath(machineId: string, path: string): string {
  return `/machines/${machineId}/${path.replace(/^\/+/, "")}`;
}
