import { AppError, type ArchiveOptions, type ExportStream, type SessionLibrary } from "@sm/core";
import type { ExportTickets } from "./services.ts";

/** Long enough for a browser on a slow connection to follow the URL, and short because URLs are copied and logged. */
const VALID_MS = 60_000;

/**
 * Limit of waiting tickets; a new one removes the oldest. Clients follow the URL immediately, so few wait, and each may
 * hold as many paths as a request can contain.
 */
const MOST_WAITING = 16;

/** Where prepared exports wait for their download. */
export interface PreparedExports {
  /** Keeps what is to be exported for so long, and the newest of them, and says until when. */
  keep(ticket: string, options: ArchiveOptions, limits: { validMs: number; most: number }): Promise<Date>;
  /** `null` for what was taken, has expired or was never kept. */
  look(ticket: string): Promise<ArchiveOptions | null>;
  /** Gives it to whoever comes first. */
  take(ticket: string): Promise<ArchiveOptions | null>;
}

/**
 * Creates the service that issues tickets for downloads.
 *
 * @param prepared where they wait; default: in the memory of this process.
 */
export function createExportTickets(
  sessions: Pick<SessionLibrary, "exportArchive">,
  prepared: PreparedExports = preparedInMemory(),
): ExportTickets {
  const redeemed = (options: ArchiveOptions | null, requester: Parameters<ExportTickets["redeem"]>[1]) => {
    if (options !== null) return sessions.exportArchive(options, requester);
    throw new AppError(
      "NOT_FOUND",
      "This download was already fetched or has expired. Request a new one with export_sessions.",
    );
  };
  return {
    async issue(options, requester) {
      // What it refuses is told now. It reads nothing before somebody reads from it.
      await sessions.exportArchive(options, requester);
      // A 256-bit random key cannot be found by timing the lookup.
      const ticket = Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("base64url");
      const expiresAt = await prepared.keep(ticket, options, { validMs: VALID_MS, most: MOST_WAITING });
      return { url: `/api/export?ticket=${ticket}`, expires_at: expiresAt.toISOString() };
    },
    look: async (ticket, requester): Promise<ExportStream> => redeemed(await prepared.look(ticket), requester),
    redeem: async (ticket, requester): Promise<ExportStream> => redeemed(await prepared.take(ticket), requester),
  };
}

function preparedInMemory(): PreparedExports {
  /** By ticket, oldest first. */
  const waiting = new Map<string, { options: ArchiveOptions; expiresAt: number; timer: NodeJS.Timeout }>();

  function forget(ticket: string): void {
    clearTimeout(waiting.get(ticket)?.timer);
    waiting.delete(ticket);
  }

  function find(ticket: string): ArchiveOptions | null {
    const found = waiting.get(ticket);
    // Timers fire late after the machine was suspended.
    if (found !== undefined && Date.now() < found.expiresAt) return found.options;
    forget(ticket);
    return null;
  }

  return {
    async keep(ticket, options, { validMs, most }) {
      const expiresAt = Date.now() + validMs;
      const timer = setTimeout(() => forget(ticket), validMs);
      timer.unref();
      const [oldest] = waiting.keys();
      if (oldest !== undefined && waiting.size >= most) forget(oldest);
      waiting.set(ticket, { options, expiresAt, timer });
      return new Date(expiresAt);
    },
    look: async (ticket) => find(ticket),
    async take(ticket) {
      const options = find(ticket);
      forget(ticket);
      return options;
    },
  };
}
