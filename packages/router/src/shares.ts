import type { ExportTheme, Requester } from "@sm/core";

/** A shared page, without what opens it. */
export interface ShareRecord {
  id: string;
  session_path: string;
  title: string;
  created_at: string;
  expires_at: string;
  size_bytes: number;
  /** How often the page was fetched, not counting requests for its headers alone. */
  opened_count: number;
  last_opened_at: string | null;
}

/** What of a session is shared, and until when. */
export interface ShareOptions {
  path: string;
  leaf_id?: string | undefined;
  include_thinking: boolean;
  include_tools: boolean;
  include_notes?: boolean | undefined;
  include_subagents: boolean;
  /** Words of the user's own to replace besides secrets. */
  redact_words?: string[] | undefined;
  theme: ExportTheme;
  /** Default: in seven days. */
  expires_at?: string | undefined;
}

/** Why no links can be made: sharing is switched off, or other machines cannot reach the service. */
export type SharingProblem = "off" | "loopback";

/** An open page, whose pieces are read from a file. */
export interface SharedPage {
  bytes: number;
  chunks: AsyncIterable<Uint8Array>;
}

/** Redacted pages of sessions under links that need no token. */
export interface ShareService {
  /** `null` if links can be made. */
  problem(): SharingProblem | null;
  /** Rejects with AppError `UNAVAILABLE`, which says what to do, if there is a problem. */
  checkAvailable(): Promise<void>;
  /**
   * Makes a page of a session as it is now; only this tells its `url`.
   *
   * Rejects with AppError `INVALID_PAYLOAD` for an expiry in the past or too far away, `PAYLOAD_TOO_LARGE` for a page
   * above the limit, `CONFLICT` if there are too many, and like `SessionLibrary.exportStream`.
   */
  create(options: ShareOptions, requester?: Requester): Promise<ShareRecord & { url: string }>;
  /** Those that have not expired, newest first; of one session only if `path` is given. */
  list(path?: string): Promise<ShareRecord[]>;
  /** Rejects with AppError `NOT_FOUND`. */
  revoke(id: string): Promise<{ id: string; revoked: true }>;
  /** The size of a link's page; `null` for a link that is unknown, expired or revoked. */
  look(secret: string): Promise<Pick<SharedPage, "bytes"> | null>;
  /** Opens the page of a link, and counts that; `null` as for `look`. */
  open(secret: string): Promise<SharedPage | null>;
}
