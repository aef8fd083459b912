import type { SessionFormatName, SessionRecord, Usage } from "./session/record.ts";

export interface StatisticsOptions {
  /** Only messages at or after this time (RFC 3339). */
  since?: string | undefined;
  /** Only messages before this time (RFC 3339). */
  until?: string | undefined;
  /** Only sessions of this working directory. */
  project?: string | undefined;
  /** Only sessions of this agent. */
  format?: SessionFormatName | undefined;
  /** Only sessions of the user of the hub with this name. */
  owner?: string | undefined;
  /** Adds `stacks`, of each project, model or agent. */
  stack_by?: StackedBy | undefined;
  /** IANA time zone of days, hours and weeks; default: the service's. */
  time_zone?: string | undefined;
}

/** What days may be told apart by. */
export type StackedBy = "project" | "model" | "format";

/** The days of one project, model or agent. */
export interface DayStack {
  name: string | null;
  /** Whether these are all others than the ten with the most tokens. */
  is_rest: boolean;
  /** As in `by_day`; of a model, `messages` are answers. */
  by_day: (ActivitySum & { date: string })[];
}

/** Number of messages and usage, see {@link Usage}. */
export interface ActivitySum {
  messages: number;
  usage: Usage;
}

/**
 * Statistics of many sessions. A message copied to another session by a fork counts only in its original session. One
 * without a valid time belongs to no day, hour or block, and is excluded if a time range is given.
 */
export interface SessionStatistics {
  totals: {
    /**
     * Without a range, all sessions; otherwise those with at least one message of their own in it. Sessions without
     * messages, or with copies only (clones), are not included then.
     */
    sessions: number;
    messages: number;
    user_messages: number;
    assistant_messages: number;
    /** Including nested calls, which records do not count. */
    tool_calls: number;
    usage: Usage;
  };
  /**
   * At most 1,000 models, those with the most tokens first. Here and by provider, `messages` are answers. Usage counts
   * for the model named by the entry, else for the current one on its branch.
   */
  by_model: (ActivitySum & { model: string | null; provider: string | null })[];
  by_provider: (ActivitySum & { provider: string | null })[];
  /** By agent, most tokens first; `sessions` as in `totals`. */
  by_format: (ActivitySum & { format: SessionFormatName; sessions: number })[];
  /** What of the totals sessions have that agents have started, see `SessionRecord.subagent_count`. */
  subagents: ActivitySum & { sessions: number };
  /** `sessions` as in `totals`. */
  by_project: (ActivitySum & { project: string | null; sessions: number })[];
  /** Most calls first. */
  by_tool: { tool: string | null; calls: number; errors: number }[];
  /**
   * Days with messages or usage, oldest first: the newest 4,000. `sessions` have at least one message of their own on
   * that day.
   */
  by_day: (ActivitySum & { date: string; sessions: number })[];
  /** The days of each, most tokens first; `null` unless asked for. */
  stacks: DayStack[] | null;
  by_hour: { hour: number; messages: number }[];
  by_weekday: { weekday: number; messages: number }[];
  /** All 168 hours of a week, starting on Monday. */
  by_weekday_hour: { weekday: number; hour: number; messages: number }[];
  /** By the date of the week's Monday, oldest first: the newest 26 weeks with messages. */
  by_project_week: (ActivitySum & { project: string | null; week: string })[];
  /**
   * The newest 500 blocks of five hours, oldest first: each starts at the full hour (UTC) of the first message or usage
   * after the previous block.
   */
  activity_blocks: (ActivitySum & { start: string; end: string })[];
  /** Consecutive days with messages. */
  streaks: {
    /** Up to today, or to yesterday if today has none. */
    current_days: number;
    longest_days: number;
    longest_from: string | null;
    longest_to: string | null;
  };
  /** The ten sessions with the most messages. */
  longest_sessions: SessionRecord[];
  /** Files in the session directories that are not sessions, or cannot be listed because their path is not UTF-8. */
  skipped_files: number;
  /** Time zone of all days, hours and weeks. */
  time_zone: string;
}
