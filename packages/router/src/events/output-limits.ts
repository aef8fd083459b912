/** Limits of a subscriber's unread terminal output; bytes are those of payloads as JSON. */
export interface OutputLimits {
  /**
   * High watermark: the terminal is paused when even the fastest subscriber has this much unread. Enough for 10 MB/s to
   * a client that acknowledges with 50 ms latency; but other events of this client wait behind it.
   */
  highBytes: number;
  /** Low watermark: the terminal resumes. A fast client receives new output before it has read the rest. */
  lowBytes: number;
  /**
   * Limit for a subscriber slower than the fastest. Subscribers share the events, so this bounds the memory per
   * terminal regardless of the number of slow subscribers.
   */
  dropBytes: number;
  /** Milliseconds in which a subscriber with unread output must make progress. */
  stallMs: number;
}

export const OUTPUT_LIMITS: OutputLimits = {
  highBytes: 512 * 1_024,
  lowBytes: 128 * 1_024,
  dropBytes: 4 * 1_048_576,
  stallMs: 10_000,
};
