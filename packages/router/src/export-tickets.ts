import { AppError, type ExportStream, type SessionLibrary } from "@sm/core";
import type { ExportTickets } from "./services.ts";

/** Long enough for a browser behind a slow line to follow the URL; a URL is copied and logged, so no longer. */
const VALID_MS = 60_000;

/**
 * Tickets that wait at a time; the oldest goes for a further one. A client follows its URL at once, so that few wait,
 * and each may hold as many paths as a request has room for.
 */
const MOST_WAITING = 16;

interface Waiting {
  stream: ExportStream;
  expiresAt: number;
  timer: NodeJS.Timeout;
}

/** Makes the service that keeps prepared exports until they are fetched. They are gone with the process. */
export function createExportTickets(sessions: Pick<SessionLibrary, "exportArchive">): ExportTickets {
  /** By ticket, the oldest first. Nobody can find out a key of 256 random bits by the time that a look takes. */
  const waiting = new Map<string, Waiting>();

  function forget(ticket: string): void {
    clearTimeout(waiting.get(ticket)?.timer);
    waiting.delete(ticket);
  }

  function find(ticket: string): ExportStream {
    const found = waiting.get(ticket);
    // A timer is late where the machine has slept.
    if (found !== undefined && Date.now() < found.expiresAt) return found.stream;
    forget(ticket);
    throw new AppError(
      "NOT_FOUND",
      "This download has been fetched already or has expired; ask for a new one with export_sessions.",
    );
  }

  return {
    async issue(options, { client, connection } = {}) {
      // Without the signal: the download comes on a connection of its own.
      const stream = await sessions.exportArchive(options, { client, connection });
      const ticket = Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("base64url");
      const expiresAt = Date.now() + VALID_MS;
      const timer = setTimeout(() => forget(ticket), VALID_MS);
      timer.unref();
      const [oldest] = waiting.keys();
      if (oldest !== undefined && waiting.size >= MOST_WAITING) forget(oldest);
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
