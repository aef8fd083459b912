import { AppError } from "@sm/core";

/**
 * What somebody may do on a hub: an `owner` sees who has read what, a `member` sends sessions and shares projects, a
 * `reader` only reads.
 */
export type HubRole = "owner" | "member" | "reader";

export interface HubUserSummary {
  id: string;
  name: string;
  role: HubRole;
  /** Whether it is the caller. */
  is_me: boolean;
}

/** A working directory whose sessions others may read, with those of the directories below it. */
export interface SharedProject {
  project: string;
  /** Name of the user whose sessions they are; `null`: the caller's own. */
  owner: string | null;
  /** Whether every user of the hub may read them. */
  everybody: boolean;
  /** Who may read them besides; of the caller's own only. */
  users: { id: string; name: string }[];
  sessions: number;
  shared_at: string;
}

/** Whom a project is shared with. */
export interface Audience {
  project: string;
  users: { id: string; name: string }[];
  everybody: boolean;
}

export interface ShareProjectOptions {
  project: string;
  /** IDs of users. */
  users?: string[] | undefined;
  everybody?: boolean | undefined;
}

export interface UnshareProjectOptions {
  project: string;
  /** IDs of users. Without these and `everybody`, all and everybody are meant. */
  users?: string[] | undefined;
  everybody?: boolean | undefined;
}

/** Somebody has read a session of somebody else. */
export interface SessionRead {
  at: string;
  /** Names of users. */
  reader: string;
  owner: string;
  session_path: string;
  /** `null` where the caller sees the session no more. */
  session_title: string | null;
  /** Name of the command. */
  action: string;
}

export interface ReadsOptions {
  limit: number;
  cursor?: string | undefined;
  /** Only of this session. */
  path?: string | undefined;
}

/** Projects that users of a hub share with each other. Every method rejects with AppError `UNAVAILABLE` at home. */
export interface SharedProjectService {
  /** All users of the hub, by name. */
  users(): Promise<HubUserSummary[]>;
  /** Own ones, and those that others share with the caller, by path. */
  list(): Promise<SharedProject[]>;
  /**
   * Lets more users read a project. Rejects with AppError `NOT_FOUND` unless it is the working directory of own sessions,
   * and for unknown users.
   */
  share(options: ShareProjectOptions): Promise<SharedProject>;
  /** Takes it back, at once; tells who may still read it. Rejects with AppError `NOT_FOUND` for one that is not shared. */
  unshare(options: UnshareProjectOptions): Promise<Audience>;
  /**
   * Who has read the caller's sessions, newest first; an owner of the hub sees all. Rejects with AppError
   * `INVALID_PAYLOAD` for a cursor of another list.
   */
  reads(options: ReadsOptions): Promise<{ reads: SessionRead[]; next_cursor: string | null }>;
}

/** Where there is no hub, there is nobody to share with. */
export const NO_SHARED_PROJECTS: SharedProjectService = {
  users: refuse,
  list: refuse,
  share: refuse,
  unshare: refuse,
  reads: refuse,
};

function refuse(): Promise<never> {
  const advice =
    "Projects are shared on a hub; send sessions to one with save_hub, or share a page with share_session.";
  return Promise.reject(new AppError("UNAVAILABLE", advice));
}
