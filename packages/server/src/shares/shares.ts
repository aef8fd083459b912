import { AppError } from "@sm/core";
import { fileError } from "@sm/core/files";
import type { Library, LibraryLog } from "@sm/core/node";
import { invalidPayload, type ShareService, type SharingProblem } from "@sm/router";
import type { Config } from "../config.ts";
import { publicOrigin, type ReachSettings } from "./public-origin.ts";
import { ShareStore } from "./share-store.ts";

const DAY_MS = 86_400_000;
const USUAL_DAYS = 7;
const MAX_DAYS = 90;
const LOOK_INTERVAL_MS = 3_600_000;

export interface SharesOptions {
  config: ReachSettings & Pick<Config, "sharing">;
  dataDir: string;
  library: Pick<Library, "session" | "exportStream">;
  /** The service's own URL, once it listens. */
  serviceUrl: () => string;
  log: LibraryLog;
}

/** The shares of a service. */
export interface Shares extends ShareService {
  /** Revokes the shares of sessions that were deleted. */
  sessionsDeleted(paths: readonly string[]): Promise<void>;
  /** Removes what has expired, now and every hour, until `close`. */
  watchExpiry(): void;
  close(): void;
}

/** Creates the service for shared pages. */
export function createShares({ config, dataDir, library, serviceUrl, log }: SharesOptions): Shares {
  const store = new ShareStore(dataDir);
  /** Pages that are being made; a deletion of their session does not find them in the store yet. */
  const begun = new Set<{ path: string; isDeleted: boolean }>();
  let timer: NodeJS.Timeout | undefined;

  function problem(): SharingProblem | null {
    if (!config.sharing.enabled) return "off";
    return publicOrigin(config, serviceUrl()) === null ? "loopback" : null;
  }

  async function removeExpired(): Promise<void> {
    try {
      for (const id of await store.removeExpired()) log.info({ share: id }, "A link has expired; its page is removed.");
    } catch (error) {
      log.warn({ err: error }, "Could not remove the pages of expired links.");
    }
  }

  return {
    problem,

    async checkAvailable() {
      const found = problem();
      if (found !== null) throw new AppError("UNAVAILABLE", REFUSALS[found](config.bind_addr));
    },

    async create({ path, expires_at, ...manner }, requester) {
      const now = Date.now();
      const ends = checkedExpiry(expires_at, now);
      const session = await library.session(path);
      const page = { ...manner, path: session.path, format: "html", redact: true } as const;
      const makePage = async () => (await library.exportStream(page, requester)).chunks;
      const saved = {
        session_path: session.path,
        title: session.title,
        created_at: new Date(now).toISOString(),
        expires_at: ends,
      };
      const making = { path: session.path, isDeleted: false };
      begun.add(making);
      const { record, secret } = await store
        .add(saved, makePage)
        .catch((error: unknown) => {
          throw fileError(error, "write", dataDir) ?? error;
        })
        .finally(() => begun.delete(making));
      if (making.isDeleted) {
        await store.remove(record.id);
        throw new AppError("NOT_FOUND", "The session was deleted while it was being shared.");
      }
      const fields = { share: record.id, path: session.path, expires_at: ends, client: requester?.client };
      log.info(fields, "A session was shared under a link that needs no token.");
      return { ...record, url: `${publicOrigin(config, serviceUrl()) ?? serviceUrl()}/share/${secret}` };
    },

    async list(path) {
      const session = path === undefined ? null : await library.session(path);
      const records = await store.list();
      return session === null ? records : records.filter(({ session_path }) => session_path === session.path);
    },

    async revoke(id) {
      if (!(await store.remove(id))) {
        // Without the id: somebody may have sent the link itself.
        throw new AppError("NOT_FOUND", "There is no link with this id; list_shares lists all.");
      }
      log.info({ share: id }, "A link was revoked; its page is removed.");
      return { id, revoked: true };
    },

    look: async (secret) => (config.sharing.enabled ? store.look(secret) : null),
    open: async (secret) => (config.sharing.enabled ? store.open(secret) : null),

    async sessionsDeleted(paths) {
      const deleted = new Set(paths);
      for (const making of begun) making.isDeleted ||= deleted.has(making.path);
      try {
        for (const { id, session_path } of await store.list()) {
          if (!deleted.has(session_path)) continue;
          await store.remove(id);
          log.info({ share: id, path: session_path }, "A link was revoked, because its session was deleted.");
        }
      } catch (error) {
        log.error({ err: error }, "Could not revoke the links of deleted sessions.");
      }
    },

    watchExpiry() {
      void removeExpired();
      timer ??= setInterval(() => void removeExpired(), LOOK_INTERVAL_MS).unref();
    },

    close: () => clearInterval(timer),
  };
}

const REFUSALS: Record<SharingProblem, (address: string) => string> = {
  off: () =>
    'Sharing is turned off. Set "sharing": {"enabled": true} in session-manager.json and restart the service, or ' +
    'export the session with "redact".',
  loopback: (address) =>
    `The service listens on ${address} only, so nobody else could open a link. Put a proxy in front of it and name it ` +
    'in "allowed_hosts" and "allowed_origins", or listen on another address; or export the session with "redact".',
};

function checkedExpiry(chosen: string | undefined, now: number): string {
  const ends = chosen === undefined ? now + USUAL_DAYS * DAY_MS : Date.parse(chosen);
  if (ends <= now) throw invalidPayload([{ path: "expires_at", message: "Must be a time in the future." }]);
  if (ends > now + MAX_DAYS * DAY_MS) {
    throw invalidPayload([{ path: "expires_at", message: `Must be within ${MAX_DAYS} days.` }]);
  }
  return new Date(ends).toISOString();
}
