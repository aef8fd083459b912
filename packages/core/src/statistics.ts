import type { SessionRecord, Usage } from "./session/record.ts";

export interface StatisticsOptions {
  /** Only messages at or after this time (RFC 3339). */
  since?: string | undefined;
  /** Only messages before this time (RFC 3339). */
  until?: string | undefined;
  /** Only sessions of this working directory. */
  project?: string | undefined;
  /** IANA name of the zone that days, hours and weeks are of; the service's own where absent. */
  time_zone?: string | undefined;
}

/** A number of messages, and all that was used, see {@link Usage}. */
export interface ActivitySum {
  messages: number;
  usage: Usage;
}

/**
 * What was done in many sessions. A message that was copied into another session, by a fork, counts where it was written
 * first, and nowhere else. One whose time cannot be read is part of no day, hour or block, and of no answer that is
 * about a range of time.
 */
export interface SessionStatistics {
  totals: {
    /**
     * Without a range every session; else those with a message in it that is their own. A session without messages, or
     * with copies only, such as a clone, is not among the latter.
     */
    sessions: number;
    messages: number;
    user_messages: number;
    assistant_messages: number;
    /** With those that tools made themselves, which no record counts. */
    tool_calls: number;
    usage: Usage;
  };
  /**
   * Of names those with the most tokens come first, 1,000 at most. Here and by provider `messages` are answers. What an
   * entry has used counts for the model that it names, else for the one in force on its branch.
   */
  by_model: (ActivitySum & { model: string | null; provider: string | null })[];
  by_provider: (ActivitySum & { provider: string | null })[];
  /** `sessions` as in `totals`. */
  by_project: (ActivitySum & { project: string | null; sessions: number })[];
  /** The most called first. */
  by_tool: { tool: string | null; calls: number; errors: number }[];
  /**
   * Days on which something was said or used, the oldest first: of those the newest 4,000. `sessions` are those with a
   * message on that day that is their own.
   */
  by_day: (ActivitySum & { date: string; sessions: number })[];
  by_hour: { hour: number; messages: number }[];
  by_weekday: { weekday: number; messages: number }[];
  /** All 168 hours of a week, from Monday's first. */
  by_weekday_hour: { weekday: number; hour: number; messages: number }[];
  /** By the date of the week's Monday, the oldest first: the newest 26 weeks with messages. */
  by_project_week: (ActivitySum & { project: string | null; week: string })[];
  /**
   * The newest 500 stretches of five hours, the oldest first: each begins at the full hour (UTC) of the first message
   * or use that the one before does not hold.
   */
  activity_blocks: (ActivitySum & { start: string; end: string })[];
  /** Days in a row with messages. */
  streaks: {
    /** Up to today, or to yesterday while today has none. */
    current_days: number;
    longest_days: number;
    longest_from: string | null;
    longest_to: string | null;
  };
  /** The ten with the most messages, of those in `totals`. */
  longest_sessions: SessionRecord[];
  /** Files in the session directories that hold no session, or cannot be listed because their path is not UTF-8. */
  skipped_files: number;
  /** The zone of all days, hours and weeks. */
  time_zone: string;
}
