import { AppError } from "@sm/core";

/** For how long a hub keeps sessions that nobody goes on with. */
export interface RetentionRule {
  /** A working directory, with those below it; `null`: all others. */
  project: string | null;
  /** `null`: for ever. */
  days: number | null;
  /** Whether favorites, and sessions with notes or bookmarks, go too. */
  include_marked: boolean;
}

/** The rules of a user. */
export interface RetentionRules {
  rules: RetentionRule[];
  /** Of the hub, for whoever has no rule for all; `null`: for ever. */
  default_days: number | null;
}

/** What would be removed. */
export interface RetentionPreview {
  sessions: number;
  /** Of their files. */
  bytes: number;
  /** The oldest ones. */
  first: { path: string; title: string; project: string | null; modified_at: string; bytes: number }[];
}

/** For how long the sessions of the caller are kept. Every method rejects with AppError `UNAVAILABLE` at home. */
export interface RetentionService {
  list(): Promise<RetentionRules>;
  /** Sets the rule of a project, or of all others. */
  set(rule: RetentionRule): Promise<RetentionRules>;
  /** Rejects with AppError `NOT_FOUND` where there is none. */
  remove(project: string | null): Promise<RetentionRules>;
  /** What goes next, as if a rule were set too; nothing is changed. */
  preview(rule: RetentionRule | null, limit: number): Promise<RetentionPreview>;
}

/** At home agents' files are the sessions, and nothing removes them. */
export const NO_RETENTION: RetentionService = { list: refuse, set: refuse, remove: refuse, preview: refuse };

function refuse(): Promise<never> {
  const advice = "Sessions are kept for some time on a hub; here delete_session removes them.";
  return Promise.reject(new AppError("UNAVAILABLE", advice));
}
