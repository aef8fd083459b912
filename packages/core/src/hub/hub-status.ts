import type { SessionFormatName } from "../session/record.ts";

/** Where sessions are sent, and which, as `session-manager.json` says it. */
export interface HubSettings {
  url: string;
  /** Contains an API token of the hub. */
  token_file: string;
  /** Working directories whose sessions are sent, and those below; all where it is `null` or missing. */
  projects?: string[] | null | undefined;
  formats?: SessionFormatName[] | null | undefined;
  redact?: boolean | undefined;
  redact_words?: string[] | undefined;
}

/** What is sent to a hub, and what keeps it from that. */
export interface HubStatus {
  /** `null`: nothing is sent. */
  url: string | null;
  projects: string[] | null;
  formats: SessionFormatName[] | null;
  redact: boolean;
  /**
   * `off`: there is no hub; `stopped`: the service does not run; `waiting`: it tries again later; `sent`: the hub has
   * everything.
   */
  state: "off" | "stopped" | "sending" | "waiting" | "sent";
  /** Names this machine on the hub. */
  machine_id: string | null;
  /** Files that the hub has. */
  files: number;
  /** Sessions and changes that it does not have yet. */
  pending: number;
  /** Since the start of the service, packed. */
  sent_bytes: number;
  last_sent_at: string | null;
  problems: string[];
}

export interface SendingService {
  status(): Promise<HubStatus>;
}
