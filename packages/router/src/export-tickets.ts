import { AppError, type ExportStream, type SessionLibrary } from "@sm/core";
import type { ExportTickets } from "./services.ts";

/** Long enough for a browser on a slow connection to follow the URL, and short because URLs are copied and logged. */
const VALID_MS = 60_000;

/**
 * Limit of waiting tickets; a new one removes the oldest. Clients follow the URL immediately, so few wait, and each may
 * hold as many paths as a request can contain.
 */
const MAX_WAITING = 16;

interface Waiting {
  stream: ExportStream;
  expiresAt: number;
  timer: NodeJS.Timeout;
}

/** Creates the service that keeps prepared exports in memory until they are downloaded. */
export function createExportTickets(sessions: Pick<SessionLibrary, "exportArchive">): ExportTickets {
  /** By ticket, oldest first. A 256-bit random key cannot be found by timing the lookup. */
  const waiting = new Map<string, Waiting>();

  function forget(ticket: string): void {
    clearTimeout(waiting.get(ticket)?.timer);
    waiting.delete(ticket);
  }

  function find(ticket: string): ExportStream {
    const found = waiting.get(ticket);
    // Timers fire late after the machine was suspended.
    if (found !== undefined && Date.now() < found.expiresAt) return found.stream;
    forget(ticket);
    throw new AppError(
      "NOT_FOUND",
      "This download was already fetched or has expired. Request a new one with export_sessions.",
    );
  }

  return {
    async issue(options, { client, connection } = {}) {
      // Without the signal: the download uses a separate connection.
      const stream = await sessions.exportArchive(options, { client, connection });
      const ticket = Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("base64url");
      const expiresAt = Date.now() + VALID_MS;
      const timer = setTimeout(() => forget(ticket), VALID_MS);
      timer.unref();
      const [oldest] = waiting.keys();
      if (oldest !== undefined && waiting.size >= MAX_WAITING) forget(oldest);
      waiting.set(ticket, { stream, expiresAt, timer });
      return { url: `/api/export?ticket=${ticket}`, expires_at: new Date(expiresAt).toISOString() };
    },
    look: find,
    redeem(ticket) {
      const stream = find(ticket);
      forget(ticket);
      return stream;
    },
  };
}
